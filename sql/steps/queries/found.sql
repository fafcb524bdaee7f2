    from found_queries as found
    left join judged_queries as judged
        on found.query_id = judged.query_id

    from found_queries as found
    inner join judged_queries as judged
        on found.query_id = judged.query_id

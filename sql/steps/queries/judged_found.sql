    from judged_queries as judged
    left join found_queries as found
        on judged.query_id = found.query_id

    from judged_queries as judged
    cross join system_rows
    left join found_queries as found
        on judged.query_id = found.query_id and system_rows.system = found.system

    from judged_queries as judged
    cross join system_rows

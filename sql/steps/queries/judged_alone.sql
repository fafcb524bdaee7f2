    from judged_queries as judged

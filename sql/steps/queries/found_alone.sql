    from found_queries as found

left join found_queries as found on judged_queries.query_id = found.query_id

    left join baseline_ranks
        on ranked.query_id = baseline_ranks.query_id and ranked.doc_id = baseline_ranks.doc_id
    left join baseline_queries
        on ranked.query_id = baseline_queries.query_id

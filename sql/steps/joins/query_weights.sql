    left join query_weights
        on {{ query_base }}.query_id = query_weights.query_id

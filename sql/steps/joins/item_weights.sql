    left join item_weights
        on ranked.query_id = item_weights.query_id and ranked.doc_id = item_weights.doc_id

    left join judged
        on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id

    left join judged
        on vectored.query_id = judged.query_id and vectored.doc_id = judged.doc_id

    left join (
        select doc_id
        from judged
        group by doc_id
    ) as judged_documents
        on ranked.doc_id = judged_documents.doc_id

from {{ relation }}
order by query_id asc, doc_id asc

-- the documents without a judgment that one system has above the other, or that the other lacks
select
    query_id,
    doc_id
from {{ places }}
where relevance is null
group by query_id, doc_id
having
    coalesce(min(case when system = {{ favoured | literal }} then rank end), 9223372036854775807)
    < coalesce(min(case when system = {{ other | literal }} then rank end), 9223372036854775807)

{#
title = "a document is judged twice for one query"
input = "qrels"
probe = true
message = "a document is judged more than once for one query (cases: {findings}): document {doc_id} of query {query_id} has {copies} judgments, from {lowest} to {highest}; keep one, or choose --judgments max or mean"
#}
{% if probe %}
select count(*) - count(distinct hash(query_id, doc_id{% if subtopics %}, subtopic{% endif %})) as findings
from {{ judged }}
{% else %}
select
    count(*) over () as findings,
    query_id,
    doc_id,
    count(*) as copies,
    min(relevance) as lowest,
    max(relevance) as highest
from {{ judged }}
group by query_id, doc_id{% if subtopics %}, subtopic{% endif %}

having count(*) > 1
order by query_id, doc_id
limit 1
{% endif %}

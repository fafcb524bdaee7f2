{#
title = "a document is judged twice for one query"
input = "qrels"
message = "a document is judged more than once for one query (cases: {findings}): document {doc_id} of query {query_id} has {copies} judgments, from {lowest} to {highest}; {apart}keep one, or choose {option:judgments max} or mean"
#}
select
    query_id,
    doc_id,
    count(*) as copies,
    min(try_cast(relevance as {{ double }})) as lowest,
    max(try_cast(relevance as {{ double }})) as highest
from {{ judged }}
{% if suspects %}
where cast(query_id as {{ text }}) in (
{%- for query in suspects %}{{ query | literal }}{% if not loop.last %}, {% endif %}{% endfor -%}
)
{% endif %}
group by query_id, doc_id{% if subtopics %}, subtopic{% endif +%}
having count(*) > 1

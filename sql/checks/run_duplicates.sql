{#
title = "a document stands twice in one ranking"
input = "run"
probe = true
message = "a document stands more than once in one ranking (cases: {findings}): document {doc_id} of query {query_id} stands {copies} times; remove the copies, or choose --duplicates best"
#}
{% if probe %}
select count(*) - count(distinct hash({% if several %}system, {% endif %}query_id, doc_id)) as findings
from {{ run }}
{% else %}
select
    count(*) over () as findings,
    query_id,
    doc_id,
    count(*) as copies
from {{ run }}
group by {% if several %}system, {% endif %}query_id, doc_id
having count(*) > 1
order by query_id, doc_id
limit 1
{% endif %}

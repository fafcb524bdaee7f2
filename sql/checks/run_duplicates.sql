{#
title = "a document appears twice in one ranking"
input = "run"
message = "a document appears more than once in a ranking (cases: {findings}): document {doc_id} of query {query_id}{whose} appears {copies} times; {apart}remove the copies, or choose {option:duplicates best}"
#}
select
    query_id,
    doc_id,
    {%+ if several %}concat(' in the run ', system){% else %}''{% endif %} as whose,
    count(*) as copies
from {{ run }}
{% if suspects %}
where cast(query_id as {{ text }}) in (
{%- for query in suspects %}{{ query | literal }}{% if not loop.last %}, {% endif %}{% endfor -%}
)
{% endif %}
group by {% if several %}system, {% endif %}query_id, doc_id
having count(*) > 1

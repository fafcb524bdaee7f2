{#
title = "a rater judged one item twice"
input = "verdicts"
message = "a rater judged one item more than once (cases: {findings}): {rater} judged {item} {copies} times; keep one of them, or name the column that tells the items apart with {option:columns doc_id=NAME}"
#}
select
    query_id,
    rater,
{% if documents %}
    doc_id,
{% endif %}
    {% if documents %}'document ' || doc_id || ' of query ' || query_id{% else %}'query ' || query_id{% endif %} as item,
    count(*) as copies
from {{ relation }}
group by query_id, rater{% if documents %}, doc_id{% endif +%}
having count(*) > 1

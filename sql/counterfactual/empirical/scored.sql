{# Each row of the log with what it counts for in each measure (`x_`), and its weight (`w_`). #}
select
    shown.impression_id,
{% if unit %}
    shown.{{ unit | ident }},
{% endif %}
{% for measure in measures %}
    counting.a_{{ measure.number }} + counting.b_{{ measure.number }} * shown.{{ reward | ident }} as x_{{ measure.number }},
{% if measure.weighs %}
    counting.w_{{ measure.number }}{% if measure.terms[0].kind == "dcg" %} * shown.{{ reward | ident }}{% endif %} as w_{{ measure.number }},
{% endif %}
{% endfor %}
{% for measure in measures if measure.balances %}
    counting.w_{{ measure.number }} as g_{{ measure.number }},
{% endfor %}
    1 as places
from {{ impressions }} as shown
inner join {{ counting }} as counting
    on shown.query_id = counting.query_id and shown.doc_id = counting.doc_id and shown.position = counting.position

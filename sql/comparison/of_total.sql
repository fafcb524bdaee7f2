-- what each replicate sums up in total, of some segments or of all
select
    0 as scope,
    replicate,
{% for number in weighing %}
    sum(weight_{{ number }}) as weight_{{ number }},
{% endfor %}
{% for number in pairs %}
    sum(kept_{{ number }}) as kept_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ signed }}
where scope = 0
group by replicate

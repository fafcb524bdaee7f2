{% from "macros/draws.sql" import times_of %}
-- the mean difference in replicates in which each query stands as often as it draws, once on average
with

{% set width = 10 %}
{% set often = 6 %}
{% set mask = 1023 %}
{% include "comparison/draws.sql" %}
-- how often each query stands in each replicate
times as (
    select
        scope,
{% for number in pairs %}
        difference_{{ number }},
{% endfor %}
{% for number in weighing %}
        weight_{{ number }},
{% endfor %}
        place,
        {{ times_of() }} as times
    from pieces
),

drawn as (
    select
        scope,
        place as replicate,
{% for number in weighing %}
        sum(times * weight_{{ number }}) as weight_{{ number }},
{% endfor %}
{% for number in pairs %}
        sum(times * difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from times
    group by scope, place
)

{% for total in scopes %}
select
    {%+ if total %}0 as scope{% else %}scope{% endif %},
    replicate,
{% for number in pairs %}
{% if total %}
    cast(sum(difference_{{ number }}) as {{ double }}) / nullif(sum(weight_{{ weight_of[loop.index0] }}), 0) as mean_{{ number }}{% if not loop.last %},{% endif +%}
{% else %}
    cast(difference_{{ number }} as {{ double }}) / nullif(weight_{{ weight_of[loop.index0] }}, 0) as mean_{{ number }}{% if not loop.last %},{% endif +%}
{% endif %}
{% endfor %}
from drawn
where replicate < {{ replicates }}
{% if total %}
group by replicate
{% endif %}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

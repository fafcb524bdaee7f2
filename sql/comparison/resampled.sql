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
{% for name in columns %}
        {{ name | ident }},
{% endfor %}
        place,
        {{ times_of() }} as times
    from pieces
),

drawn as (
    select
        scope,
        place as replicate,
{% for name in columns %}
        sum(times * {{ name | ident }}) as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from times
    group by scope, place
)

{% for total in scopes %}
select
    {%+ if total %}0 as scope{% else %}scope{% endif %},
    replicate,
{% for number in pairs %}
{% set difference %}{% if total %}sum(difference_{{ number }}){% else %}difference_{{ number }}{% endif %}{% endset %}
{% set weight %}{% if total %}sum(weight_{{ weight_of[loop.index0] }}){% else %}weight_{{ weight_of[loop.index0] }}{% endif %}{% endset %}
    cast({{ difference }} as {{ double }}) / nullif({{ weight }}, 0) as mean_{{ number }}{% if not loop.last %},{% endif +%}
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

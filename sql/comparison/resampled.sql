-- the mean difference in replicates in which each query stands as often as it draws, once on average
with

{% set width = 10 %}
{% include "comparison/draws.sql" %}
-- queries that draw the same bits are added once: few sums, which stay in the cache of the processor, as those of one segment
-- after the other do
alike as (
    select
        scope,
        place,
        bits,
{% for name in columns %}
        sum({{ name | ident }}) as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from pieces
    group by scope, place, bits
    order by scope asc, place asc
),

-- the same bits are drawn for 33 replicates, any two of which are independent
drawn as (
    select
        alike.scope as scope,
        alike.place * 33 + times.number as replicate,
{% for name in columns %}
        sum(times.times * alike.{{ name | ident }}) as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from alike
    inner join {{ times }} as times
        on alike.bits = times.bits
    group by alike.scope, alike.place * 33 + times.number
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

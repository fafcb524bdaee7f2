-- the sums of the differences, and of the weights, that keep their sign in each replicate, where each keeps or changes it
-- by chance; whole numbers, so that neither the order of rows nor the number of threads matters
with

{% set width = 6 %}
{% set often = 10 %}
{% set mask = 63 %}
{% include "comparison/draws.sql" %}
-- queries that draw the same bits are added once: few sums, which stay in the cache of the processor
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
),

-- the sums of those that keep their sign: each bit is a replicate
kept as (
    select
        alike.scope as scope,
        alike.place * {{ width }} + digits.number as replicate,
{% for number in weighing %}
        sum(case when (alike.bits >> digits.number) & 1 = 1 then alike.weight_{{ number }} else 0 end) as weight_{{ number }},
{% endfor %}
{% for number in pairs %}
        sum(case when (alike.bits >> digits.number) & 1 = 1 then alike.difference_{{ number }} else 0 end) as kept_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from alike
    cross join {{ numbers }} as digits
    where digits.number < {{ width }}
    group by alike.scope, alike.place * {{ width }} + digits.number
)

{% for total in scopes %}
select
    {%+ if total %}0 as scope{% else %}scope{% endif %},
    replicate,
{% for number in weighing %}
    {%+ if total %}sum(weight_{{ number }}) as weight_{{ number }}{% else %}weight_{{ number }}{% endif %},
{% endfor %}
{% for number in pairs %}
    {%+ if total %}sum(kept_{{ number }}) as kept_{{ number }}{% else %}kept_{{ number }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
from kept
where replicate < {{ replicates }}
{% if total %}
group by replicate
{% endif %}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

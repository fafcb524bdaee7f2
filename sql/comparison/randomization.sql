-- the sums of the differences, and of the weights, that keep their sign in each replicate, where each keeps or changes it
-- by chance; whole numbers, so that neither the order of rows nor the number of threads matters
with

{% set width = 6 %}
{% set sharing = 63 %}
{% set kept_signs %}{% include "comparison/keeping.sql" %}{% endset %}
{% include "comparison/draws.sql" %}
{% if crowded %}
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

{% endif %}
keeping as (
    {{ kept_signs.rstrip() | indent }}
),

{% set drawn %}{% if crowded %}alike{% else %}pieces{% endif %}{% endset %}
sums as (
    select
        {{ drawn }}.scope as scope,
        {{ drawn }}.place * {{ sharing }} + keeping.digit as replicate,
{% for number in weighing %}
        sum({{ drawn }}.weight_{{ number }}) as weight_{{ number }},
{% endfor %}
{% for number in pairs %}
        sum({{ drawn }}.difference_{{ number }}) as kept_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ drawn }}
    inner join keeping
        on {{ drawn }}.bits = keeping.bits
    group by {{ drawn }}.scope, {{ drawn }}.place * {{ sharing }} + keeping.digit
),

-- the replicates of each segment
replicates as (
    select
        scopes.scope as scope,
        blocks.number * {{ 120 // width * sharing }} + places.number as replicate
    from (
        select distinct scope
        from {{ scaled }}
{% if group %}
        where
            scope >= {{ group.start }}
            and scope < {{ group.stop }}
{% endif %}
    ) as scopes
    cross join {{ numbers }} as blocks
    cross join {{ numbers }} as places
    where
        blocks.number >= {{ first }}
        and blocks.number < {{ last }}
        and places.number < {{ 120 // width * sharing }}
),

-- with those in which every query changes its sign, of which there is no sum
kept as (
    select
        scope,
        replicate,
{% for number in weighing %}
        weight_{{ number }},
{% endfor %}
{% for number in pairs %}
        kept_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from sums

    union all

    select
        replicates.scope as scope,
        replicates.replicate as replicate,
{% for number in weighing %}
        0 as weight_{{ number }},
{% endfor %}
{% for number in pairs %}
        0 as kept_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from replicates
    left join sums
        on replicates.scope = sums.scope and replicates.replicate = sums.replicate
    where sums.replicate is null
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

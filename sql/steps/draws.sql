{# What every query draws: 60 random bits for each block, ten at a time. #}
{% from "macros/hashing.sql" import bits_of %}
-- 60 bits for each query and block, made of its id alone
draws as (
    select
        scaled.scope as scope,
        blocks.number as block,
{% for number in pairs %}
        scaled.difference_{{ number }} as difference_{{ number }},
{% if weights %}
        scaled.weight_{{ number }} as weight_{{ number }},
{% endif %}
{% endfor %}
        {{ bits_of(seed) }} as bits
    from {{ scaled }} as scaled
    cross join {{ numbers }} as blocks
    where
        blocks.number >= {{ first }}
        and blocks.number < {{ last }}
{% if not weights %}
        and ({% for number in pairs %}scaled.difference_{{ number }} <> 0{% if not loop.last %} or {% endif %}{% endfor %})
{% endif %}
),

-- ten bits at a time: the queries that draw the same ten are added once
tens as (
    select
        draws.scope as scope,
        draws.block * 6 + positions.number as position,
        (draws.bits >> (positions.number * 10)) & 1023 as ten,
{% for number in pairs %}
{% if weights %}
        sum(draws.weight_{{ number }}) as weight_{{ number }},
{% endif %}
        sum(draws.difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from draws
    cross join {{ numbers }} as positions
    where positions.number < 6
    group by draws.scope, draws.block * 6 + positions.number, (draws.bits >> (positions.number * 10)) & 1023
),


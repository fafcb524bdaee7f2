{# What every query draws: 120 random bits for each block, `width` at a time; with `middle`, eight more. #}
{% from "macros/hashing.sql" import bits_of %}
{% set often = 60 // width %}
{% set mask = 2 ** width - 1 %}
-- twice 60 bits for each query and block, made of its id alone; two threads may draw half of the blocks each
draws as (
{% for half in [0, 1] %}
    select
        scaled.scope as scope,
        blocks.number as block,
{% for name in columns %}
        scaled.{{ name | ident }} as {{ name | ident }},
{% endfor %}
        {{ bits_of(seed, "upper") }} as upper_bits,
        {{ bits_of(seed, "lower") }} as lower_bits{% if middle | default(false) %},
        {{ bits_of(seed, "middle") }} as middle_bits{% endif +%}
    from {{ scaled }} as scaled
    cross join {{ numbers }} as blocks
    where
        blocks.number % 2 = {{ half }}
        and blocks.number >= {{ first }}
        and blocks.number < {{ last }}
{% if group %}
        and scaled.scope >= {{ group.start }}
        and scaled.scope < {{ group.stop }}
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

-- the same with {{ width }} bits in each row
pieces as (
    select
        draws.scope as scope,
{% for name in columns %}
        draws.{{ name | ident }} as {{ name | ident }},
{% endfor %}
        draws.block * {{ 2 * often }} + places.number as place,
{% if middle | default(false) %}
        draws.middle_bits as middle_bits,
{% endif %}
        (case when places.number < {{ often }} then draws.upper_bits else draws.lower_bits end >> (places.number % {{ often }} * {{ width }})) & {{ mask }} as bits
    from draws
    cross join {{ numbers }} as places
    where places.number < {{ 2 * often }}
),


{# The sums of numbers over what is drawn for each pair, segment and replicate, of `alike`, whose rows have the bits drawn at a place. The caller writes what a replicate adds, by its number of 33 and the name of the number. #}
{% macro replicates_of(names, levels, replicates) %}
-- the same bits are drawn for 33 replicates, any two of which are independent
wide as (
    select
        alike.pair as pair,
        alike.scope as scope,
        alike.place as place,
{% for name in names %}
{% set outer = loop %}
{% for number in range(33) %}
        sum({{ caller(number, name) }}) as {{ name }}_{{ number }}{% if not (loop.last and outer.last) %},{% endif +%}
{% endfor %}
{% endfor %}
    from alike
    inner join {{ levels }} as levels
        on alike.bits = levels.bits
    group by alike.pair, alike.scope, alike.place
),

every as (
    select
        pair,
        scope,
        place * 33 + unnest(range(33)) as replicate,
{% for name in names %}
        unnest([{% for number in range(33) %}{{ name }}_{{ number }}{% if not loop.last %}, {% endif %}{% endfor %}]) as {{ name }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from wide
),

drawn as (
    select
        *
    from every
    where replicate < {{ replicates }}
),

{% endmacro %}

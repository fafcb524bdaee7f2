{% from "macros/heaps.sql" import largest %}
{% from "macros/replicates.sql" import replicates_of %}
{# What a unit adds to the sums of a side. #}
{% set distance %}abs(tested.t){% endset %}
{% macro added(name, side) %}
{%- set weight %}weight_{{ side }}{% endset %}
{%- set total %}sum_{{ side }}{% endset %}
{%- if name == "units" %}case when {{ weight }} > 0 then 1 else 0 end
{%- elif name == "weight" %}{{ weight }}
{%- elif name == "total" %}{{ total }}
{%- elif name == "squares" %}{{ total }} * {{ total }}
{%- elif name == "products" %}{{ total }} * {{ weight }}
{%- elif name == "weights" %}{{ weight }} * {{ weight }}
{%- else %}{{ total }} * weight_{{ 1 - side }}
{%- endif %}
{%- endmacro %}
-- for each pair and segment, how many {% if exact %}of all choices of labels{% else %}replicates{% endif %} have a t as far as that observed, and the t that so many pass as are
-- significant. A unit of one side alone takes the label of either, and one of both keeps its values or exchanges them
with

{% include "comparison/arms/chosen.sql" %}
-- the sums of both sides together, and those of the second: as observed, and where every unit gives up its label
wholes as (
    select
        pair,
        scope,
        count(*) as number,
        sum(is_shared) as shared,
        sum(case when is_shared = 0 and weight_1 > 0 then 1 else 0 end) as labelled,
{% for name in numbers_of_side %}
        sum({{ added(name, 0) }}) + sum({{ added(name, 1) }}) as whole_{{ name }},
        sum({{ added(name, 1) }}) as observed_{{ name }},
        sum(case when is_shared = 1 then {{ added(name, 0) }} else 0 end) as base_{{ name }},
{% endfor %}
        sum(sum_0 * sum_1) as both_totals,
        sum(weight_0 * weight_1) as both_weights
    from chosen
    group by pair, scope
),

-- what a unit that keeps its label adds to the second side, beyond what it adds where it does not
scaled as (
    select
        chosen.pair as pair,
        chosen.scope as scope,
        chosen.query_id as query_id,
        chosen.place as place,
{% for name in numbers_of_side %}
        {{ added(name, 1) }} + case when chosen.is_shared = 1 then -1 else 1 end * ({{ added(name, 0) }}) as {{ name }},
{% endfor %}
        case when chosen.is_shared = 1 then 16.0 else 32.0 * wholes.labelled / (wholes.number - wholes.shared) end as share
    from chosen
    inner join wholes
        on chosen.pair = wholes.pair and chosen.scope = wholes.scope
),

{% if exact %}
-- every choice of labels that leaves either side as many units of its own as it has
choices as (
    select
        wholes.pair as pair,
        wholes.scope as scope,
        numbers.number as replicate
    from wholes
    inner join {{ numbers }} as numbers
        on numbers.number < 1 << wholes.number
    where bit_count(numbers.number & ((1 << (wholes.number - wholes.shared)) - 1)) = wholes.labelled
),

drawn as (
    select
        choices.pair as pair,
        choices.scope as scope,
        choices.replicate as replicate,
{% for name in numbers_of_side %}
        sum(case when choices.replicate >> scaled.place & 1 = 1 then scaled.{{ name }} else 0 end) as {{ name }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from choices
    inner join scaled
        on choices.pair = scaled.pair and choices.scope = scaled.scope
    group by choices.pair, choices.scope, choices.replicate
),

{% else %}
{% set width = 10 %}
{% set middle = true %}
{% include "comparison/draws.sql" %}
-- the chance of each unit in 32nds{% if crowded %}; those that draw the same bits and the same chance are added once{% endif +%}
alike as (
    select
        pair,
        scope,
        place,
        bits,
        floor(share) + case when middle_bits < 256 * (share - floor(share)) then 1 else 0 end as chance,
{% for name in numbers_of_side %}
        {%+ if crowded %}sum({{ name }}) as {% endif %}{{ name }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from pieces
{% if crowded %}
    group by pair, scope, place, bits, chance
{% endif %}
),

{% call(number, name) replicates_of(numbers_of_side, levels, replicates) %}case when levels.level_{{ number }} < alike.chance then alike.{{ name }} else 0 end{% endcall %}
{% endif %}
-- the second side in each replicate, and as observed, which is replicate -1
seconds as (
    select
        drawn.pair as pair,
        drawn.scope as scope,
        drawn.replicate as replicate,
{% for name in numbers_of_side %}
        drawn.{{ name }} + wholes.base_{{ name }} as {{ name }}_1{% if not loop.last %},{% endif +%}
{% endfor %}
    from drawn
    inner join wholes
        on drawn.pair = wholes.pair and drawn.scope = wholes.scope

    union all

    select
        pair,
        scope,
        -1 as replicate,
{% for name in numbers_of_side %}
        observed_{{ name }} as {{ name }}_1{% if not loop.last %},{% endif +%}
{% endfor %}
    from wholes
),

means as (
    select
        seconds.*,
        wholes.both_totals as both_totals,
        wholes.both_weights as both_weights,
{% for name in numbers_of_side %}
        wholes.whole_{{ name }} - seconds.{{ name }}_1 as {{ name }}_0,
{% endfor %}
        seconds.total_1 / nullif(seconds.weight_1, 0) as mean_1,
        (wholes.whole_total - seconds.total_1) / nullif(wholes.whole_weight - seconds.weight_1, 0) as mean_0
    from seconds
    inner join wholes
        on seconds.pair = wholes.pair and seconds.scope = wholes.scope
),

-- the variance of the mean of either side, and the covariance of both; none where a side has one unit
spreads as (
    select
        pair,
        scope,
        replicate,
        mean_1 - mean_0 as difference,
{% for side in [0, 1] %}
{% set units %}{{ stands.units }}_{{ side }}{% endset %}
        (squares_{{ side }} - 2 * mean_{{ side }} * {{ stands.products }}_{{ side }} + mean_{{ side }} * mean_{{ side }} * {{ stands.weights }}_{{ side }})
        / nullif(weight_{{ side }} * weight_{{ side }}, 0) * {{ units }} / nullif({{ units }} - 1, 0) as variance_{{ side }},
{% endfor %}
{% if stands.crossed %}
        (both_totals - mean_1 * crossed_0 - mean_0 * crossed_1 + mean_0 * mean_1 * both_weights) / nullif(weight_0 * weight_1, 0)
        * sqrt(greatest({{ stands.units }}_0 * {{ stands.units }}_1 / nullif(({{ stands.units }}_0 - 1) * ({{ stands.units }}_1 - 1), 0), 0)) as covariance
{% else %}
        0 as covariance
{% endif %}
    from means
),

-- a t without a standard error is infinite
tested as (
    select
        pair,
        scope,
        replicate,
        difference,
        sqrt(greatest(variance_0 + variance_1 - 2 * covariance, 0)) as spread,
        coalesce(difference / nullif(sqrt(greatest(variance_0 + variance_1 - 2 * covariance, 0)), 0), cast('infinity' as double)) as t
    from spreads
),

observed as (
    select
        pair,
        scope,
        t,
        spread
    from tested
    where replicate = -1
)

{% set sign %}case when observed.pair in ({% for side in sides %}{% if side < 0 %}{{ loop.index }}, {% endif %}{% endfor %}0) then -1 else 1 end{% endset %}
-- one that is nearer by no more than rounding counts as as far
select
    observed.pair as pair,
    observed.scope as scope,
    count(*) as replicates,
{% if 0 in sides %}
    sum(case when abs(tested.t) >= abs(observed.t) * (1 - 1e-9) then 1 else 0 end) as extreme,
{% else %}
    sum(case when {{ sign }} * tested.t >= {{ sign }} * observed.t - 1e-9 * abs(observed.t) then 1 else 0 end) as extreme,
{% endif %}
    any_value(observed.spread) as spread,
    {%+ if exact %}list(abs(tested.t) order by abs(tested.t) desc)[cast(floor({{ alpha | literal }} * count(*)) as bigint) + 1]{% elif place %}{{ largest(distance, place) }}[{{ place }}]{% else %}null{% endif %} as beyond
from tested
inner join observed
    on tested.pair = observed.pair and tested.scope = observed.scope
where tested.replicate >= 0
group by observed.pair, observed.scope

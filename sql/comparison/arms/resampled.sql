{% from "macros/replicates.sql" import replicates_of %}
-- for each pair and segment, how many differences of the means of resampled units are on either side of 0, and those between
-- which the middle lies; a unit of both sides stands as often in either
with

scaled as (
    select
        *
    from {{ units }}
    where
        pair between {{ pairs.start }} and {{ pairs.stop - 1 }}
        and scope between {{ scopes.start }} and {{ scopes.stop - 1 }}
),

{% set width = 10 %}
{% include "comparison/draws.sql" %}
{% if crowded %}
-- units that draw the same bits are added once
alike as (
    select
        pair,
        scope,
        place,
        bits,
{% for name in numbers_of_side %}
        sum({{ name }}) as {{ name }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from pieces
    group by pair, scope, place, bits
),

{% else %}
alike as (
    select
        *
    from pieces
),

{% endif %}

-- by level the times are those of Poisson's distribution in 32nds, of mean 1 and variance 1
{% call(number, name) replicates_of(numbers_of_side, levels, replicates) %}
{%- set level %}levels.level_{{ number }}{% endset %}
alike.{{ name }} * case when {{ level }} < 12 then 0 when {{ level }} < 23 then 1 when {{ level }} < 30 then 2 when {{ level }} < 31 then 3 else 4 end
{%- endcall %}
means as (
    select
        pair,
        scope,
        sum_1 / nullif(weight_1, 0) - sum_0 / nullif(weight_0, 0) as mean
    from drawn
),

{% include "comparison/percentiles.sql" %}

{% from "macros/heaps.sql" import largest, smallest %}
-- for each segment, how many replicates are as far from 0{% if side %}, on one side,{% endif %} as what was observed, and the interval of the mean
-- differences from which the observed one is not so far as to be significant: a difference that is taken off every query
-- is passed by a replicate where it is above the smaller mean of the queries that keep and of those that change their sign
with

{% set more = true %}
{% include "comparison/observed.sql" %}
-- the two means of each replicate; where all queries keep their sign, or all change it, it is as far whatever is taken off
means as (
    select
        signed.scope as scope,
{% for number in pairs %}
{% set weight %}signed.weight_{{ weight_of[loop.index0] }}{% endset %}
{% set whole %}observed.weight_{{ weight_of[loop.index0] }}{% endset %}
        case
            when {{ weight }} = 0 or {{ weight }} = {{ whole }} then cast('-infinity' as double)
            else least(signed.kept_{{ number }} / {{ weight }}, (observed.difference_{{ number }} - signed.kept_{{ number }}) / ({{ whole }} - {{ weight }}))
        end as smaller_{{ number }},
        case
            when {{ weight }} = 0 or {{ weight }} = {{ whole }} then cast('infinity' as double)
            else greatest(signed.kept_{{ number }} / {{ weight }}, (observed.difference_{{ number }} - signed.kept_{{ number }}) / ({{ whole }} - {{ weight }}))
        end as larger_{{ number }},
        case
            -- a sum that is off by no more than what was rounded counts as equal
{% if side == 1 %}
            when 2 * signed.kept_{{ number }} - observed.difference_{{ number }} >= observed.difference_{{ number }} - observed.changed_{{ number }} then 1
{% elif side == -1 %}
            when 2 * signed.kept_{{ number }} - observed.difference_{{ number }} <= observed.difference_{{ number }} + observed.changed_{{ number }} then 1
{% else %}
            when abs(2 * signed.kept_{{ number }} - observed.difference_{{ number }}) >= abs(observed.difference_{{ number }}) - observed.changed_{{ number }} then 1
{% endif %}
            else 0
        end as extreme_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ signed }} as signed
    inner join observed
        on signed.scope = observed.scope
{% if group %}
    where signed.scope <> 0
{% endif %}
)

{% for number in pairs %}
select
    {{ number }} as pair,
    scope,
    sum(extreme_{{ number }}) as extreme,
{% set smaller %}smaller_{{ number }}{% endset %}
{% set larger %}larger_{{ number }}{% endset %}
    {%+ if place %}{{ smallest(smaller, place) }}[{{ place }}]{% else %}null{% endif %} as low,
    {%+ if place %}{{ largest(larger, place) }}[{{ place }}]{% else %}null{% endif %} as high
from means
group by scope
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

{% from "macros/heaps.sql" import largest, smallest %}
-- for each segment, how many replicates are as far from 0{% if sides[0] %}, on one side,{% endif %} as what was observed, and the interval of the mean
-- differences from which the observed one is not so far as to be significant: a difference that is taken off every query
-- is passed by a replicate where it is above the smaller mean of the queries that keep and of those that change their sign
with

{% set more = true %}
{% include "comparison/observed.sql" %}
-- the weights and the sums of those that keep and of those that change their sign in each replicate; no weights where all
-- queries keep it, or all change it
halves as (
    select
        signed.scope as scope,
{% for number in weighing %}
{% set whole %}observed.weight_{{ number }}{% endset %}
        case when signed.weight_{{ number }} not in (0, {{ whole }}) then signed.weight_{{ number }} end as kept_weight_{{ number }},
        case when signed.weight_{{ number }} not in (0, {{ whole }}) then {{ whole }} - signed.weight_{{ number }} end as turned_weight_{{ number }},
{% endfor %}
{% for number in pairs %}
        signed.kept_{{ number }} as kept_{{ number }},
        observed.difference_{{ number }} - signed.kept_{{ number }} as turned_{{ number }},
        observed.difference_{{ number }} as difference_{{ number }},
        observed.changed_{{ number }} as changed_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ signed }} as signed
    inner join observed
        on signed.scope = observed.scope
{% if group %}
    where signed.scope <> 0
{% endif %}
)

-- a sum that is off by no more than what was rounded counts as equal; where all keep their sign, or all change it, a replicate
-- is as far whatever is taken off
select
{% for number in pairs %}
{% set kept_mean %}kept_{{ number }} / kept_weight_{{ weight_of[loop.index0] }}{% endset %}
{% set turned_mean %}turned_{{ number }} / turned_weight_{{ weight_of[loop.index0] }}{% endset %}
{% set sum %}2 * kept_{{ number }} - difference_{{ number }}{% endset %}
{% if sides[loop.index0] == 1 %}
    sum(case when {{ sum }} >= difference_{{ number }} - changed_{{ number }} then 1 else 0 end) as extreme_{{ number }},
{% elif sides[loop.index0] == -1 %}
    sum(case when {{ sum }} <= difference_{{ number }} + changed_{{ number }} then 1 else 0 end) as extreme_{{ number }},
{% else %}
    sum(case when abs({{ sum }}) >= abs(difference_{{ number }}) - changed_{{ number }} then 1 else 0 end) as extreme_{{ number }},
{% endif %}
{% set smaller %}coalesce(least({{ kept_mean }}, {{ turned_mean }}), cast('-infinity' as double)){% endset %}
{% set larger %}coalesce(greatest({{ kept_mean }}, {{ turned_mean }}), cast('infinity' as double)){% endset %}
    {%+ if place %}{{ smallest(smaller, place) }}[{{ place }}]{% else %}null{% endif %} as low_{{ number }},
    {%+ if place %}{{ largest(larger, place) }}[{{ place }}]{% else %}null{% endif %} as high_{{ number }},
{% endfor %}
    scope
from halves
group by scope

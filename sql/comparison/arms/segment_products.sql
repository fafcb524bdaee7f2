-- the products of what units weigh and add up to, for each two segments, of either side, that some unit is in
with

{% include "comparison/arms/rows.sql" %}
units as (
    select
        unit,
        side,
        scope,
        sum(weight) as weight,
        sum(weight * value) as total
    from centred
    group by unit, side, scope
)

select
    one.side as one_side,
    one.scope as one_scope,
    other.side as other_side,
    other.scope as other_scope,
    {{ exact_sum }}(one.weight * other.weight) as weights,
    {{ exact_sum }}(one.weight * other.total) as weight_total,
    {{ exact_sum }}(one.total * other.weight) as total_weight,
    {{ exact_sum }}(one.total * other.total) as totals
from units as one
inner join units as other
    on one.unit = other.unit
group by one.side, one.scope, other.side, other.scope

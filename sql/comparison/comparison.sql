-- means, spread, wins and losses for each candidate, metric and segment; segment 0 is the total; a weight of 0 leaves a
-- query out
with

{% set more = true %}
{% include "comparison/differences.sql" %}
scoped as (
{% for total in ([true, false] if segments else [true]) %}
    select
        pair,
        {%+ if total %}0 as {% endif %}scope,
{% for segment in segments %}
        {%+ if total %}cast(null as {{ text }}) as {% endif %}segment_{{ loop.index }},
{% endfor %}
        {%+ if cluster %}cluster{% else %}query_id{% endif %} as unit,
        coalesce({% if total %}total_weight{% else %}scope_weight{% endif %}, 0) as weight,
        baseline_value,
        value,
        difference
    from differences
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

totals as (
    select
        pair,
        scope,
{% for segment in segments %}
        max(segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
        sum(case when weight > 0 then 1 else 0 end) as queries,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(weight * weight) as squares,
        {{ exact_sum }}(weight * baseline_value) / nullif({{ exact_sum }}(weight), 0) as baseline_value,
        {{ exact_sum }}(weight * value) / nullif({{ exact_sum }}(weight), 0) as value,
        {{ exact_sum }}(weight * difference) / nullif({{ exact_sum }}(weight), 0) as difference,
        {{ exact_sum }}(case when difference > 0 then weight when difference < 0 then -weight else 0 end) / nullif({{ exact_sum }}(weight), 0) as delta_gsb,
        {{ exact_sum }}(case when difference > 0 then weight else 0 end) / nullif({{ exact_sum }}(weight), 0) as won,
        {{ exact_sum }}(case when difference < 0 then weight else 0 end) / nullif({{ exact_sum }}(weight), 0) as lost,
        sum(case when difference > 0 and weight > 0 then 1 else 0 end) as wins,
        sum(case when difference < 0 and weight > 0 then 1 else 0 end) as losses,
        max(case when weight > 0 then abs(difference) end) as largest,
        min(case when weight > 0 then least(baseline_value, value) end) as least_value,
        max(case when weight > 0 then greatest(baseline_value, value) end) as most_value
    from scoped
    group by pair, scope
),

-- how far each query is from the mean
residuals as (
    select
        totals.pair as pair,
        totals.scope as scope,
        totals.weight as total_weight,
        scoped.unit as unit,
        scoped.weight as weight,
        case when scoped.difference <> 0 then 1 else 0 end as changed,
{% if not cluster %}
        case
            when scoped.weight > 0
                then
                    case
                        when scoped.baseline_value in (totals.least_value, totals.most_value) and scoped.value in (totals.least_value, totals.most_value) then 1
                        else 0
                    end
        end as is_end,
{% endif %}
        scoped.difference - totals.difference as residual
    from scoped
    inner join totals
        on scoped.pair = totals.pair and scoped.scope = totals.scope
),

{% if cluster %}
-- the residuals of a cluster count together, as they are related
units as (
    select
        pair,
        scope,
        unit,
        max(total_weight) as total_weight,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(weight * residual) as residual,
        {{ exact_sum }}(weight * power(residual, 2)) as spread,
        max(case when weight > 0 then changed else 0 end) as changed
    from residuals
    group by pair, scope, unit
),

{% else %}
units as (
    select
        pair,
        scope,
        total_weight,
        weight,
        weight * residual as residual,
        weight * power(residual, 2) as spread,
        case when weight > 0 then changed else 0 end as changed,
        is_end
    from residuals
),

{% endif %}
-- the squares of that: of a linearised ratio, of the jackknife, which leaves each {% if cluster %}cluster{% else %}query{% endif %} out once, and for the
-- standard deviation
spreads as (
    select
        pair,
        scope,
        sum(case when weight > 0 then 1 else 0 end) as units,
        sum(changed) as changed,
{% if not cluster %}
        min(is_end) as two_valued,
{% endif %}
        {{ exact_sum }}(weight * weight) as squares,
        {{ exact_sum }}(power(residual, 2)) as linear,
        {{ exact_sum }}(power(residual, 4)) as fourth,
        {{ exact_sum }}(power(residual * total_weight / nullif(total_weight - weight, 0), 2)) as jackknife,
        {{ exact_sum }}(spread) as spread
    from units
    group by pair, scope
),

sizes as (
    select
        totals.*,
        spreads.* exclude (pair, scope, squares),
        totals.weight * totals.weight / nullif(totals.squares, 0) as effective_queries,
        totals.weight * totals.weight / nullif(spreads.squares, 0) as effective
    from totals
    inner join spreads
        on totals.pair = spreads.pair and totals.scope = spreads.scope
)

select
    pair,
    scope,
{% for segment in segments %}
    segment_{{ loop.index }},
{% endfor %}
    queries,
    units,
    changed,
    effective,
    baseline_value,
    value,
    difference,
    case when units > 1 then sqrt(jackknife * (units - 1) / units) / weight end as stderr,
    sqrt(linear) / nullif(weight, 0) as linear_error,
    fourth / nullif(power(linear, 2), 0) as fourth,
    sqrt(spread / nullif(weight, 0) * effective_queries / nullif(effective_queries - 1, 0)) as deviation,
    delta_gsb,
    won,
    lost,
    wins,
    losses,
    largest,
{% if cluster %}
    0 as is_binary,
    0.0 as apart
{% else %}
    case when two_valued = 1 and least_value = 0 and most_value = 1 then 1 else 0 end as is_binary,
    -- how far two values are from each other where there are no others
    case when two_valued = 1 then most_value - least_value else 0 end as apart
{% endif %}
from sizes
order by pair asc, scope asc

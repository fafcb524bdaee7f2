-- means and spread of the values of both sides, and what their difference rests on, for each pair, metric and segment
with

{% include "comparison/arms/scoped.sql" %}
sides as (
    select
        pair,
        scope,
        side,
{% for segment in segments %}
        max(segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
        count(*) as queries,
        count(distinct unit) as units,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(weight * weight) as squares,
        {{ exact_sum }}(weight * value) / {{ exact_sum }}(weight) as mean,
        min(value) as least_value,
        max(value) as most_value
    from scoped
    group by pair, scope, side
),

together as (
    select
        pair,
        scope,
{% for segment in segments %}
        max(segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
{% for side in [0, 1] %}
        coalesce(max(case when side = {{ side }} then queries end), 0) as queries_{{ side }},
        coalesce(max(case when side = {{ side }} then units end), 0) as units_{{ side }},
        max(case when side = {{ side }} then weight end) as weight_{{ side }},
        max(case when side = {{ side }} then weight * weight / squares end) as effective_queries_{{ side }},
        max(case when side = {{ side }} then mean end) as mean_{{ side }},
{% endfor %}
        min(least_value) as least_value,
        max(most_value) as most_value
    from sides
    group by pair, scope
),

-- the queries of a unit count together; what they are from the means of their sides
units as (
    select
        scoped.pair as pair,
        scoped.scope as scope,
        scoped.unit as unit,
        min(case when scoped.value in (together.least_value, together.most_value) then 1 else 0 end) as is_end,
{% for side in [0, 1] %}
        {{ exact_sum }}(case when scoped.side = {{ side }} then scoped.weight else 0 end) as weight_{{ side }},
        {{ exact_sum }}(case when scoped.side = {{ side }} then scoped.weight * (scoped.value - together.mean_{{ side }}) else 0 end) as residual_{{ side }},
        {{ exact_sum }}(case when scoped.side = {{ side }} then scoped.weight * power(scoped.value - together.mean_{{ side }}, 2) else 0 end) as spread_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
    from scoped
    inner join together
        on scoped.pair = together.pair and scoped.scope = together.scope
    group by scoped.pair, scoped.scope, scoped.unit
),

-- by how much the difference moves where a unit is left out, as the jackknife weighs it, and as a linearised ratio does
moved as (
    select
        units.*,
        case when units.weight_0 > 0 and units.weight_1 > 0 then 2 when units.weight_1 > 0 then 1 else 0 end as kind,
        coalesce(units.weight_0 / together.weight_0, 0) + coalesce(units.weight_1 / together.weight_1, 0) as share,
        coalesce(units.residual_1 / nullif(together.weight_1 - units.weight_1, 0) * sqrt((together.units_1 - 1.0) / nullif(together.units_1, 0)), 0)
        - coalesce(units.residual_0 / nullif(together.weight_0 - units.weight_0, 0) * sqrt((together.units_0 - 1.0) / nullif(together.units_0, 0)), 0) as moved,
        coalesce(units.residual_1 / together.weight_1, 0) - coalesce(units.residual_0 / together.weight_0, 0) as linear,
        -- as linear and as the weight, of a side whose units weigh 1 on average
        coalesce(units.residual_0 * together.units_0 / together.weight_0, 0) + coalesce(units.residual_1 * together.units_1 / together.weight_1, 0) as residual,
        coalesce(units.weight_0 * together.units_0 / together.weight_0, 0) + coalesce(units.weight_1 * together.units_1 / together.weight_1, 0) as weight,
        coalesce(units.residual_1 / together.weight_1 * units.residual_0 / together.weight_0, 0) as product
    from units
    inner join together
        on units.pair = together.pair and units.scope = together.scope
),

-- units of the baseline alone, of the candidate alone, and of both add to the variance independently
kinds as (
    select
        pair,
        scope,
        kind,
        count(*) as units,
        min(is_end) as two_valued,
        {{ exact_sum }}(power(moved, 2)) as variance,
        {{ exact_sum }}(power(moved, 4)) as fourth,
        {{ exact_sum }}(power(linear, 2)) as linear,
        {{ exact_sum }}(product) as covariance,
        power({{ exact_sum }}(share), 2) / {{ exact_sum }}(share * share) as effective,
{% for power in [2, 3] %}
        {{ exact_sum }}(case when kind = 2 then power(linear, {{ power }}) else 0 end) as shared_{{ power }},
        {{ exact_sum }}(case when kind < 2 then power(residual, {{ power }}) else 0 end) as moment_{{ power }},
{% for side in [0, 1] %}
        {{ exact_sum }}(case when kind = {{ side }} then power(weight, {{ power }}) else 0 end) as weight_{{ side }}_{{ power }},
{% endfor %}
{% endfor %}
{% for side in [0, 1] %}
        {{ exact_sum }}(weight_{{ side }} * weight_{{ side }}) as squares_{{ side }},
        {{ exact_sum }}(spread_{{ side }}) as spread_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
    from moved
    group by pair, scope, kind
),

spreads as (
    select
        pair,
        scope,
        sum(units) as units,
        max(case when kind = 2 then units else 0 end) as shared_units,
        min(two_valued) as two_valued,
        sum(variance) as variance,
        sum(fourth) as fourth,
        sum(linear) as linear,
        sum(covariance) as covariance,
        sum(variance * variance / greatest(effective - 1, {{ fewest | literal }} - 1)) as variance_of_variance,
{% for power in [2, 3] %}
        sum(shared_{{ power }}) as shared_{{ power }},
        sum(moment_{{ power }}) / nullif(sum(weight_0_{{ power }}) + sum(weight_1_{{ power }}), 0) as moment_{{ power }},
        sum(weight_0_{{ power }}) as weight_0_{{ power }},
        sum(weight_1_{{ power }}) as weight_1_{{ power }},
{% endfor %}
{% for side in [0, 1] %}
        sum(squares_{{ side }}) as squares_{{ side }},
        sum(spread_{{ side }}) as spread_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
    from kinds
    group by pair, scope
),

-- queries that both sides have, each by the mean of its rows
asked as (
    select
        pair,
        scope,
        side,
        query_id,
        avg(value) as value
    from scoped
    group by pair, scope, side, query_id
),

shared as (
    select
        candidate.pair as pair,
        candidate.scope as scope,
        count(*) as queries,
        sum(case when abs(candidate.value - baseline.value) > {{ tolerance | literal }} * greatest(abs(candidate.value), abs(baseline.value)) and candidate.value > baseline.value then 1 else 0 end) as wins,
        sum(case when abs(candidate.value - baseline.value) > {{ tolerance | literal }} * greatest(abs(candidate.value), abs(baseline.value)) and candidate.value < baseline.value then 1 else 0 end) as losses
    from asked as candidate
    inner join asked as baseline
        on
            candidate.pair = baseline.pair
            and candidate.scope = baseline.scope
            and candidate.query_id = baseline.query_id
    where candidate.side = 1 and baseline.side = 0
    group by candidate.pair, candidate.scope
),

sizes as (
    select
        together.*,
        spreads.* exclude (pair, scope),
        coalesce(shared.queries, 0) as shared_queries,
        coalesce(shared.wins, 0) as wins,
        coalesce(shared.losses, 0) as losses,
        together.mean_1 - together.mean_0 as difference,
        -- the second and the third moment of the difference where units of either side are spread alike
{% for power in [2, 3] %}
        coalesce(spreads.moment_{{ power }} * (spreads.weight_1_{{ power }} / power(together.units_1, {{ power }}) {% if power == 2 %}+{% else %}-{% endif %} spreads.weight_0_{{ power }} / power(together.units_0, {{ power }})), 0) + spreads.shared_{{ power }} as alike_{{ power }},
{% endfor %}
{% for side in [0, 1] %}
        together.weight_{{ side }} * together.weight_{{ side }} / nullif(spreads.squares_{{ side }}, 0) as effective_{{ side }},
        spreads.spread_{{ side }} / together.weight_{{ side }} * together.effective_queries_{{ side }} as squared_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
    from together
    inner join spreads
        on together.pair = spreads.pair and together.scope = spreads.scope
    left join shared
        on together.pair = shared.pair and together.scope = shared.scope
)

select
    pair,
    scope,
{% for segment in segments %}
    segment_{{ loop.index }},
{% endfor %}
    queries_1 as queries,
    queries_0 as baseline_queries,
    shared_queries,
    units,
    units_0 as baseline_units,
    units_1 as candidate_units,
    shared_units,
    case when variance > 0 or difference <> 0 then units else 0 end as changed,
    effective_0 as baseline_effective,
    effective_1 as candidate_effective,
    -- one more than the degrees of freedom (Satterthwaite's), but where one unit decides a side
    case
        when least(effective_0, effective_1) < {{ fewest | literal }} or variance = 0 then least(effective_0, effective_1)
        else variance * variance / variance_of_variance + 1
    end as effective,
    mean_0 as baseline_value,
    mean_1 as value,
    case when abs(mean_1 - mean_0) > {{ tolerance | literal }} * greatest(abs(mean_1), abs(mean_0)) then difference else 0 * difference end as difference,
    case when units_0 > 1 and units_1 > 1 then sqrt(variance) end as stderr,
    sqrt(linear) as linear_error,
    fourth / nullif(power(variance, 2), 0) as fourth,
    alike_3 / nullif(power(alike_2, 1.5), 0) as skewness,
    sqrt((squared_0 + squared_1) / nullif(effective_queries_0 + effective_queries_1 - 2, 0)) as deviation,
    wins,
    losses,
    covariance,
{% if cluster or crossing %}
    0 as is_binary,
    0.0 as apart,
{% else %}
    case when two_valued = 1 and least_value = 0 and most_value = 1 then 1 else 0 end as is_binary,
    -- how far two values are from each other where there are no others
    case when two_valued = 1 then most_value - least_value else 0 end as apart,
{% endif %}
    (mean_0 - least_value) / nullif(most_value - least_value, 0) as baseline_share,
    (mean_1 - least_value) / nullif(most_value - least_value, 0) as candidate_share
from sizes
order by pair asc, scope asc

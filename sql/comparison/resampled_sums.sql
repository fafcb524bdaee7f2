{# The sums that decide a gate, in replicates, of the total or of every segment. #}
{% from "macros/draws.sql" import times_of %}
-- the sums over queries in replicates in which each stands as often as it draws, once on average; where there are very many,
-- those of a bundle stand equally often
with

{% set more = true %}
{% include "comparison/differences.sql" %}
scoped as (
    select
        pair,
        {%+ if total %}0 as {% endif %}scope,
        {%+ if cluster %}cluster{% else %}query_id{% endif %} as unit,
        cast({% if total %}total_weight{% else %}scope_weight{% endif %} as {{ double }}) as weight,
        difference
    from differences
    where {% if total %}total_weight{% else %}scope_weight{% endif %} > 0
),

-- how far each query is from the mean, and as one the queries of a cluster, which are related
units as (
    select
        scoped.pair as pair,
        scoped.scope as scope,
        scoped.unit as unit,
        sum(scoped.weight) as weight,
        sum(scoped.weight * (scoped.difference - means.difference)) as residual,
        sum(case when scoped.difference > 0 then scoped.weight else 0 end) as won,
        sum(case when scoped.difference < 0 then scoped.weight else 0 end) as lost,
        max(case when scoped.difference <> 0 then 1 else 0 end) as changed,
        max(abs(scoped.difference)) as largest
    from scoped
    inner join {{ means }} as means
        on scoped.pair = means.pair and scoped.scope = means.scope
    group by scoped.pair, scoped.scope, scoped.unit
),

numbered as (
    select
        *,
        count(*) over (partition by pair, scope) as units
    from units
),

scaled as (
    select
        pair,
        scope,
        case when units > {{ bundles }} then cast(md5_number(unit) % {{ bundles }} as {{ text }}) else unit end as query_id,
        count(*) as units,
        sum(weight) as weight,
        sum(residual) as residual,
        sum(weight * weight) as weights_squared,
        sum(weight * residual) as products,
        sum(residual * residual) as residuals_squared,
        sum(won) as won,
        sum(lost) as lost,
        sum(changed) as changed,
        max(largest) as largest
    from numbered
    group by pair, scope, query_id
),

{% set width = 10 %}
{% set columns = ["pair", "units", "weight", "residual", "weights_squared", "products", "residuals_squared", "won", "lost", "changed", "largest"] %}
{% include "comparison/draws.sql" %}
drawn as (
    select
        *,
        {{ times_of() }} as times
    from pieces
)

select
    pair,
    scope,
    place as replicate,
    sum(times * units) as units,
    sum(times * weight) as weight,
    sum(times * residual) as residual,
    sum(times * weights_squared) as weights_squared,
    sum(times * products) as products,
    sum(times * residuals_squared) as residuals_squared,
    sum(times * won) as won,
    sum(times * lost) as lost,
    sum(times * changed) as changed,
    max(case when times > 0 then largest else 0 end) as largest
from drawn
where times > 0
group by pair, scope, place

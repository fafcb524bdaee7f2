{# Values below one another: the statement has the same size for every number of metrics, or DuckDB would plan it for longer
   than it runs. Where no metric has a weight, none is computed. #}
{% from "macros/means.sql" import term_of %}
{% macro factor_of(measure) %}
{% for name in measure.factors %}{{ name | ident }}{% if not loop.last %} * {% endif %}{% else %}1{% endfor %}
{% endmacro %}
{% macro listed(numbers) %}
({% for number in numbers %}{{ number }}{% if not loop.last %}, {% endif %}{% endfor %})
{%- endmacro %}
{% set scope %}system{% for segment in segments %}, {{ segment.alias | ident }}{% endfor %}{% if segments %}, is_total{% endif %}{% endset %}
{% set rows %}{% if scoping %}scoped{% else %}{{ per_query }}{% endif %}{% endset %}
-- means, spread and number of queries for each metric, over the per-query table{% if weighted %}; a weight of 0 leaves a query out{% endif +%}
with

{% include "summary/scoped.sql" %}
-- the values of each query in a list{% if weighed %}, with their weights{% endif %}: a small table is read on one thread, what a step keeps on all
listed as materialized (
    select
        {{ scope }},
{% if cluster %}
        sqlrank_cluster,
{% endif %}
{% if weighed %}
        cast([{% for measure in measures %}case when {{ factor_of(measure) }} > 0 then {{ factor_of(measure) }} end{% if not loop.last %}, {% endif %}{% endfor %}] as double[]) as sqlrank_weights,
{% endif %}
        cast([{% for measure in measures %}{{ term_of(measure) }}{% if not loop.last %}, {% endif %}{% endfor %}] as double[]) as sqlrank_values
    from {{ rows }}
),

-- each value in a row of its own{% if weighed %}, with its weight{% endif %}, and with the number of its metric
observed as (
    select
        {{ scope }},
{% if cluster %}
        sqlrank_cluster,
{% endif %}
        unnest(range(1, {{ measures | length }} + 1)) as metric,
{% if weighed %}
        unnest(sqlrank_weights) as weight,
{% endif %}
        unnest(sqlrank_values) as value
    from listed
),

-- the mean of each metric, or its sum where it is a count
totals as (
    select
        {{ scope }},
        metric,
{% if weighed %}
        count(case when weight is not null then value end) as queries,
        fsum(case when value is not null then weight end) as weight,
        power(fsum(case when value is not null then weight end), 2)
        / nullif(fsum(case when value is not null then weight * weight end), 0) as effective,
        min(case when weight is not null then value end) as least,
        max(case when weight is not null then value end) as most,
        {%+ if sums %}case when metric in {{ listed(sums) }} then fsum(value) else {% endif %}fsum(weight * value) / fsum(case when value is not null then weight end){% if sums %} end{% endif %} as value
{% else %}
        count(value) as queries,
        cast(count(value) as double) as effective,
        min(value) as least,
        max(value) as most,
        {%+ if sums %}case when metric in {{ listed(sums) }} then fsum(value) else {% endif %}fsum(value) / nullif(count(value), 0){% if sums %} end{% endif %} as value
{% endif %}
    from observed
    group by {{ scope }}, metric
),

-- how far each value is from the mean{% if weighed %}, times its weight, and how far the mean moves without its query{% endif +%}
deviations as (
    select
        {{ scope }},
        metric,
{% if cluster %}
        observed.sqlrank_cluster as sqlrank_cluster,
{% endif %}
        totals.value as value,
        totals.queries as queries,
        totals.effective as effective,
        totals.least as least,
        totals.most as most,
{% if weighed %}
        totals.weight as weight,
        case when observed.value is not null then observed.weight end as sqlrank_weight,
        observed.weight * (observed.value - totals.value) / nullif(1 - observed.weight / totals.weight, 0) as sqlrank_moved,
{% endif %}
        {%+ if weighed %}observed.weight * (observed.value - totals.value){% else %}observed.value - totals.value{% endif %} as sqlrank_distance,
        case
            when observed.value in (totals.least, totals.most){% if weighed %} and observed.weight is not null{% endif %} then 1
            when observed.value is not null{% if weighed %} and observed.weight is not null{% endif %} then 0
        end as is_end
    from observed
    inner join totals
        using ({{ scope }}, metric)
),

{% if cluster %}
-- the queries of a cluster count together, as they are related
clusters as (
    select
        {{ scope }},
        metric,
        any_value(value) as value,
        any_value(queries) as queries,
        any_value(least) as least,
        any_value(most) as most,
        any_value(weight) as weight,
        fsum(sqlrank_weight) as sqlrank_weight,
        fsum(sqlrank_distance) as sqlrank_distance,
        fsum(sqlrank_distance) / nullif(1 - fsum(sqlrank_weight) / any_value(weight), 0) as sqlrank_moved,
        case when count(sqlrank_weight) = 1 then min(is_end) when count(sqlrank_weight) > 1 then 0 end as is_end
    from deviations
    group by {{ scope }}, metric, sqlrank_cluster
),

{% endif %}
{% set number %}{% if cluster %}count(sqlrank_weight){% else %}any_value(queries){% endif %}{% endset %}
-- the standard error of each mean{% if weighed %}, by the jackknife, in which each {% if cluster %}cluster{% else %}query{% endif %} is left out once{% endif +%}
spreads as (
    select
        {{ scope }},
        metric,
        any_value(value) as value,
        any_value(queries) as queries,
        {%+ if cluster %}power(any_value(weight), 2) / nullif(fsum(sqlrank_weight * sqlrank_weight), 0){% else %}any_value(effective){% endif %} as effective,
{% if weighed %}
        case
            when {{ number }} > 1 and max(sqlrank_weight) < any_value(weight)
                then sqrt(fsum(sqlrank_moved * sqlrank_moved) * ({{ number }} - 1) / {{ number }}) / any_value(weight)
        end as stderr,
{% else %}
        sqrt(fsum(sqlrank_distance * sqlrank_distance) * any_value(queries) / nullif(any_value(queries) - 1, 0))
        / nullif(any_value(queries), 0) as stderr,
{% endif %}
        fsum(sqlrank_distance * sqlrank_distance * sqlrank_distance)
        / nullif(power(fsum(sqlrank_distance * sqlrank_distance), 1.5), 0) as skewness,
        case when min(is_end) = 1 then any_value(least) end as least,
        case when min(is_end) = 1 then any_value(most) end as most
    from {% if cluster %}clusters{% else %}deviations{% endif +%}
    group by {{ scope }}, metric
)

select
    system,
{% for segment in segments %}
    case when is_total then null else {{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    is_total,
{% endif %}
    ([{% for measure in measures %}{{ measure.text | literal }}{% if not loop.last %}, {% endif %}{% endfor %}])[spreads.metric] as metric,
    {%+ if geometric %}case when spreads.metric in {{ listed(geometric) }} then exp(value) else value end{% else %}value{% endif %} as value,
    queries,
{% for number in ["stderr", "effective", "skewness", "least", "most"] %}
    {%+ if others %}case when spreads.metric not in {{ listed(others) }} then {{ number | ident }} end{% else %}{{ number | ident }}{% endif %} as {{ number | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from spreads

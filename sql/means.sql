{% from "macros/means.sql" import term_of %}
{% macro counted(measure) %}{{ measure.column | ident }} is not null{% if measure.factors %} and {{ measure.factor | ident }} > 0{% endif %}{% endmacro %}
{% macro each(measures, kind) %}
case metric{% for measure in measures %}{% if measure[kind] %} when {{ measure.text | literal }} then {{ measure[kind] | ident }}{% endif %}{% endfor %} end
{%- endmacro %}
{% for line in header %}
{{ line }}
{% endfor %}
-- means with their standard errors, over the per-query rows{% if weighed %}; a weight of 0 leaves a query out{% endif %}

with

{% if statement %}
per_query as (
{% for line in statement %}
{% if line %}    {{ line }}{% endif %}

{% endfor %}
),

{% endif %}
{% if segments %}
-- every query twice: in its segment, and in the total
scoped as (
    select
{% if partition %}
        {{ partition.column | ident }},
{% endif %}
{% if named %}
        system,
{% endif %}
{% for segment in segments %}
        case when is_total then '' else {{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% for name in needed %}
        {{ name | ident }},
{% endfor %}
        is_total
    from {{ per_query }}
    cross join (
        select false as is_total
        union all
        select true as is_total
    ) as scopes
),

{% endif %}
{% set rows %}{% if segments %}scoped{% else %}{{ per_query }}{% endif %}{% endset %}
{% if weighed %}
-- the weight of each query as a share of the largest one
shares as (
    select
{% if scope %}
        {{ scope }},
{% endif %}
{% for measure in measures %}
{% if measure.factors %}
        {%+ for name in measure.factors %}{{ name | ident }} / nullif(max({{ name | ident }}) over ({{ within }}), 0){% if not loop.last %} * {% endif %}{% endfor %} as {{ measure.factor | ident }},
{% endif %}
        {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ rows }}
),

{% set rows %}shares{% endset %}
{% endif %}
{% if centred %}
-- every query beside the mean{% if weighed %} and the sum of the weights{% endif %}

centred as (
    select
{% if scope %}
        {{ scope }},
{% endif %}
{% for measure in measures %}
{% if measure.factors %}
        {{ measure.factor | ident }},
        sum(case when {{ counted(measure) }} then {{ measure.factor | ident }} end) over ({{ within }}) as {{ measure.weight | ident }},
        sum(case when {{ counted(measure) }} then {{ measure.factor | ident }} * {{ term_of(measure) }} end) over ({{ within }})
        / sum(case when {{ counted(measure) }} then {{ measure.factor | ident }} end) over ({{ within }}) as {{ measure.mean | ident }},
{% elif measure.kind == "mean" and not sample_deviation %}
        avg({{ measure.column | ident }}) over ({{ within }}) as {{ measure.mean | ident }},
{% endif %}
        {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ rows }}
),

{% endif %}
-- the mean of each metric, or its sum where it is a count, and the standard error{% if weighed %}, of a weighted one by the jackknife{% endif %}

totals as (
    select
{% if scope %}
        {{ scope }},
{% endif %}
{% for measure in measures %}
        {%+ if measure.factors %}count(case when {{ counted(measure) }} then 1 end){% else %}count({{ measure.column | ident }}){% endif %} as {{ measure.queries | ident }},
{% if measure.kind == "mean" and measure.factors %}
        case
            when sum(case when {{ counted(measure) }} then 1 else 0 end) > 1 and max({{ measure.factor | ident }}) < max({{ measure.weight | ident }})
                then
                    sqrt(
                        sum(case when {{ counted(measure) }} then power({{ measure.factor | ident }} * ({{ measure.column | ident }} - {{ measure.mean | ident }}) / nullif(1 - {{ measure.factor | ident }} / {{ measure.weight | ident }}, 0), 2) end)
                        * (sum(case when {{ counted(measure) }} then 1 else 0 end) - 1) / sum(case when {{ counted(measure) }} then {{ one }} else 0 end)
                    ) / max({{ measure.weight | ident }})
        end as {{ measure.stderr | ident }},
{% elif measure.kind == "mean" and sample_deviation %}
        case when count({{ measure.column | ident }}) > 1 then {{ sample_deviation }}({{ measure.column | ident }}) / sqrt(count({{ measure.column | ident }})) end as {{ measure.stderr | ident }},
{% elif measure.kind == "mean" %}
        sqrt(sum(power({{ measure.column | ident }} - {{ measure.mean | ident }}, 2)) / count({{ measure.column | ident }}) / nullif(count({{ measure.column | ident }}) - 1, 0)) as {{ measure.stderr | ident }},
{% endif %}
        {%+ if measure.kind == "sum" %}sum({{ measure.column | ident }})
        {%- elif measure.factors %}{% if measure.kind == "geometric" %}exp({% endif %}max({{ measure.mean | ident }}){% if measure.kind == "geometric" %}){% endif %}
        {%- elif measure.kind == "geometric" %}exp(avg({{ term_of(measure) }}))
        {%- else %}avg({{ measure.column | ident }})
        {%- endif %} as {{ measure.value | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {% if centred %}centred{% else %}{{ rows }}{% endif %}

{% if scope %}
    group by {{ scope }}
{% endif %}
),

-- a row for each metric
by_metric as (
    select
{% if scope %}
        {{ scope }},
{% endif %}
        metric,
        {{ each(measures, "value") }} as value,
        {{ each(measures, "queries") }} as queries,
        {%+ if spread %}{{ each(measures, "stderr") }}{% else %}cast(null as {{ double }}){% endif %} as stderr
    from totals
    cross join (
{% for measure in measures %}
        select {{ measure.text | literal }} as metric
{% if not loop.last %}
        union all
{% endif %}
{% endfor %}
    ) as metrics
),

-- the 97.5 % point of Student's t by an expansion in 1 / (queries - 1), which is exact to 1e-4 from ten queries on;
-- none where all values are alike, as they do not show how much they vary
intervals as (
    select
{% if scope %}
        {{ scope }},
{% endif %}
        metric,
        value,
        queries,
        stderr,
        case
            when queries >= 10 and stderr > 1e-9 * abs(value)
                then
                    1.959963984540054 + 2.372271230298562 / (queries - 1) + 2.8224986157396112 / power(queries - 1, 2)
                    + 2.555849679507722 / power(queries - 1, 3) + 1.5895340533938224 / power(queries - 1, 4)
        end as quantile
    from by_metric
)

select
{% if partition %}
    {{ partition.column | ident }},
{% endif %}
{% if named %}
    system,
{% endif %}
{% for segment in segments %}
    case when is_total then null else {{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    is_total,
{% endif %}
    metric,
    value,
    queries,
    stderr,
    value - quantile * stderr as ci_low,
    value + quantile * stderr as ci_high
from intervals

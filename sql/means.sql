{% from "macros/means.sql" import by_kind, by_metric, term_of, weight_of %}
{# In one line where that is short, else each metric in a line of its own. #}
{% set between %}{% if long +%}
            {%+ else %} {% endif %}{% endset %}
{% set next %}{% if long +%}
    {%+ else %} {% endif %}{% endset %}
{% set scoped %}{% for name in scope_names %}{{ name | ident }}, {% endfor %}{% for segment in segments %}case when is_total then '' else {{ segment.alias | ident }} end as {{ segment.alias | ident }}, {% endfor %}{% if segments %}is_total, {% endif %}{% endset %}
{% set shown %}{% for name in scope_names %}{{ name | ident }}, {% endfor %}{% for segment in segments %}case when is_total then null else {{ segment.alias | ident }} end as {{ segment.alias | ident }}, {% endfor %}{% if segments %}is_total, {% endif %}{% endset %}
{% set keys_of_rows %}{% for name in scope_names %}, {{ name | ident }}{% endfor %}{% for segment in segments %}, case when is_total then '' else {{ segment.alias | ident }} end{% endfor %}{% if segments %}, is_total{% endif %}{% endset %}
{% set scope_of_rows %}{% if scope %}partition by {{ keys_of_rows[2:] }}{% endif %}{% endset %}
{% set hint %}{{ broadcast }}metrics{% if segments %}, scopes{% endif %}) */{% endset %}
{% set within %}over (partition by {{ scope }}metric){% endset %}
{% set counted %}{% if nullable %}case when value is not null then weight end{% else %}weight{% endif %}{% endset %}
{% set observed %}{% if nullable %}weight * value{% else %}weight{% endif %}{% endset %}
-- the metrics
metrics as (
    {%+ for measure in measures_summed %}{% if not loop.first %}{{ next }}union all {% endif %}select {{ measure.text | literal }} as metric{% endfor +%}
),
-- {% if segments %}each query twice, in its segment and in the total, {% else %}each query {% endif %}with a row for each metric{% if weighted %}; a weight of 0 leaves it out{% endif +%}
by_metric as (
{% if long or weighed %}
    select{% if broadcast %} {{ hint }}{% endif +%}
        {{ scoped }}metric{% if weighed %},
        {%+ if alike %}{{ weight_of(measures_summed[0], scope_of_rows) }}{% else %}{% call(measure) by_metric(measures_summed, between) %}{{ weight_of(measure, scope_of_rows) }}{% endcall %}{% endif %} as weight{% endif %},
        {%+ call(measure) by_metric(measures_summed, between) %}{{ term_of(measure) }}{% endcall %} as value
{% else %}
    select {% if broadcast %}{{ hint }} {% endif %}{{ scoped }}metric, {% call(measure) by_metric(measures_summed, between) %}{{ term_of(measure) }}{% endcall %} as value
{% endif %}
    from {{ per_query }}
    cross join metrics
{% if segments %}
    cross join (select false as is_total union all select true as is_total) as scopes
{% endif %}
{% if not scope %}
    union all
    -- a metric without a query has a row too
    select metric, {% if weighed %}cast(null as {{ double }}) as weight, {% endif %}cast(null as {{ double }}) as value from metrics
{% endif %}
),
{% if weighed %}
-- each value next to the mean and the sum of the weights
centred as (
    select
        {{ scope }}metric, value, weight, sum({{ counted }}) {{ within }} as total,
        sum(weight * value) {{ within }} / sum({{ counted }}) {{ within }} as mean
    from by_metric
),
{% endif %}
-- the mean of each metric, with its standard error{% if weighed %} by the jackknife, which leaves each query out once{% endif +%}
means as (
    select
{% if weighed %}
        {{ scope }}metric, {{ by_kind(kinds, true) }} as value, count({{ observed }}) as queries, count({{ observed }}) - 1 as df,
        {%+ if has_means %}case when min(total - {{ counted }}) > 0{% if of_means %} and metric in ({{ of_means }}){% endif %} then sqrt(sum(power(weight * (value - mean) / nullif(total - weight, 0), 2)) * (count({{ observed }}) - 1) / count({{ observed }})) end{% else %}cast(null as {{ double }}){% endif %} as stderr
    from centred
{% else %}
        {{ scope }}metric, {{ by_kind(kinds, false) }} as value, count(value) as queries, count(value) - 1 as df,
        {%+ if has_means %}case when count(value) > 1{% if of_means %} and metric in ({{ of_means }}){% endif %} then {{ sample_deviation }}(value) / sqrt(count(value)) end{% else %}cast(null as {{ double }}){% endif %} as stderr
    from by_metric
{% endif %}
    group by {{ scope }}metric
),
-- half the width of each interval: Student's t, exact to 1e-4 from ten queries on; none where all values are alike
intervals as (
    select
        {{ scope }}metric, value, queries, stderr,
        case
            when queries >= 10 and stderr > 1e-9 * abs(value)
                then stderr * (1.959963984540054 + (2.372271230298562 + (2.8224986157396112 + (2.555849679507722 + 1.5895340533938224 / df) / df) / df) / df)
        end as half_width
    from means
)
select {{ shown }}metric, value, queries, stderr, value - half_width as ci_low, value + half_width as ci_high
from intervals

{# The mean of a metric, in a model of means, is not below that of one system, or of another such model (than), by more
   than a number: the systems and segments of which it is, or that have no counterpart or several; or one row where there
   is nothing to compare. `by` names the columns of segments. Each pair is a group of two rows and no join, since engines
   differ in what a join without a counterpart gives. #}
{% test metric_not_below(model, metric=none, than=none, baseline_system=none, by_more_than=0, by=[], partition=none, built=none, arguments={}) %}
{% set metric, partition = arguments.get('metric', metric), arguments.get('partition', partition) %}
{% set baseline, by = arguments.get('baseline_system', baseline_system), arguments.get('by', by) %}
{% set built = arguments.get('built', built) %}
{% set parts = by + ([partition] if partition and built else []) %}
{% set margin = sqlrank.finite('by_more_than', arguments.get('by_more_than', by_more_than)) %}
{% if than is none and baseline is none %}
    {% do exceptions.raise_compiler_error('sqlrank: metric_not_below needs than, a model, or baseline_system, a system') %}
{% endif %}
{% set system, double = sqlrank.system(), dbt.type_float() %}
{% set scope = ([system] + parts + (['is_total'] if by else [])) | join(', ') %}
with candidates as (
{{ sqlrank.rows_of(model, metric, partition, built) }}
{% if than is none %}
        and {{ system }} <> {{ sqlrank.text(baseline) }}
{% endif %}
),

baselines as (
{{ sqlrank.rows_of(model if than is none else than, metric, partition, built) }}
{% if baseline is not none %}
        and {{ system }} = {{ sqlrank.text(baseline) }}
{% endif %}
),

sides as (
{% for rows in ['candidates', 'baselines'] %}
    select
        {{ 'systems' if rows == 'baselines' and baseline is not none else rows }}.{{ system }},
{% for segment in parts %}
        coalesce(cast({{ segment }} as {{ dbt.type_string() }}), '') as {{ segment }},
{% endfor %}
        {{ 'is_total,' if by else '' }}
        {{ loop.revindex0 }} as found,
        {{ loop.index0 }} as expected,
        {{ 'value' if loop.first else 'cast(null as ' ~ double ~ ')' }} as value,
        {{ 'value' if loop.last else 'cast(null as ' ~ double ~ ')' }} as baseline_value
    from {{ rows }}
{% if rows == 'baselines' and baseline is not none %}
{% if parts != by %}
    inner join (select distinct {{ system }}, {{ partition }} as built_partition from candidates) as systems
        on {{ partition }} = built_partition
{% else %}
    cross join (select distinct {{ system }} from candidates) as systems
{% endif %}
{% endif %}
    {{ 'union all' if loop.first else '' }}
{% endfor %}
),

paired as (
    select
        {{ scope }},
        sum(found) as found,
        sum(expected) as expected,
        max(value) as value,
        max(baseline_value) as baseline_value
    from sides
    group by {{ scope }}

    union all

    select null, {% for _ in parts %}null, {% endfor %}{{ 'false,' if by else '' }} 0, 0, null, null
    from (select count(*) as compared from sides) as counted
    where compared = 0
)

select *
from paired
-- 1e-12 is how far two runs of one statement may differ
where found <> 1 or expected <> 1 or value is null or baseline_value is null
    or value - value <> 0 or baseline_value - baseline_value <> 0
    or value < baseline_value - {{ margin }} - 1e-12
{% endtest %}

{# The mean of a metric is not below that of another relation, or of one system, by more than a number: the rows where
   it is, or where a system or segment has no counterpart or several; or one row where nothing was evaluated. Each pair
   is a group of two rows and not a join, since engines differ in what a join without a counterpart gives. #}
{% test metric_not_below(model, metric, than=none, baseline_system=none, by_more_than=0, qrels=none, of='run') %}
{% if execute %}
{% if than is none and baseline_system is none %}
    {% do sqlrank.refuse('metric_not_below needs than, a relation, or baseline_system, the name of a system') %}
{% endif %}
{% set margin, words = sqlrank.finite('by_more_than', by_more_than), sqlrank.dialect() %}
{% set segments = sqlrank.segments(kwargs) %}
{% set system, scope = sqlrank.ident('system'), sqlrank.scope(segments) %}
{% set alone = of == 'run' and 'system' not in (kwargs.get('columns') or {}) | join(' ') %}
{% set other, double = model if than is none else than, words.double %}
{% set named = {'candidates': 'candidates', 'baselines': 'baselines' if baseline_system is none else 'systems'} %}
with evaluated as (
{{ sqlrank.gated(model, qrels, metric, of, kwargs) }}
),

candidates as (
    select *
    from evaluated
{% if than is none %}
    where {{ system }} <> {{ sqlrank.literal(baseline_system) }}
{% endif %}
),

other as (
{{ sqlrank.gated(other, qrels, metric, of, kwargs) }}
),

baselines as (
    select *
    from other
{% if baseline_system is not none %}
    where {{ system }} = {{ sqlrank.literal(baseline_system) }}
{% endif %}
),

sides as (
{% for rows, found in [('candidates', 1), ('baselines', 0)] %}
    select
        {{ sqlrank.literal('run') if alone else named[rows] ~ '.' ~ system }} as {{ system }},
{% for segment in segments %}
{% set name = sqlrank.ident(segment.alias) %}
        coalesce(cast({{ name }} as {{ words.text }}), '') as {{ name }},
{% endfor %}
{% if segments %}
        is_total,
{% endif %}
        {{ found }} as found,
        {{ 1 - found }} as expected,
        {{ 'value' if found else 'cast(null as ' ~ double ~ ')' }} as value,
        {{ 'cast(null as ' ~ double ~ ')' if found else 'value' }} as baseline_value
    from {{ rows }}
{% if named[rows] == 'systems' %}
    cross join (select distinct {{ system }} from candidates) as systems
{% endif %}
{{ '    union all' if found else '' }}
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
)

select
    {{ scope }},
    found,
    expected,
    value,
    baseline_value
from paired
-- 1e-12 is how far two runs of one statement may differ
where
    found <> 1 or expected <> 1 or value is null or baseline_value is null
    or value - value <> 0 or baseline_value - baseline_value <> 0
    or value < baseline_value - {{ margin }} - 1e-12

union all

select
    cast(null as {{ words.text }}) as {{ system }},
{% for segment in segments %}
    cast(null as {{ words.text }}) as {{ sqlrank.ident(segment.alias) }},
{% endfor %}
{% if segments %}
    true as is_total,
{% endif %}
    0 as found,
    0 as expected,
    cast(null as {{ double }}) as value,
    cast(null as {{ double }}) as baseline_value
from (select count(*) as compared from paired) as pairs
cross join (select count(*) as given from {{ model }}) as rows_given
cross join (select count(*) as expected_rows from {{ other }}) as rows_expected
where compared = 0 or given = 0 or expected_rows = 0
{% endif %}
{% endtest %}

{# One row for each candidate, metric and query with a value on either side. #}
-- the differences: a row for each candidate, metric and query of either side, whose value is the mean of its rows there
valued as (
{% for pair in sides %}
    select
        {{ pair.system | literal }} as system,
        {{ pair.baseline | literal }} as baseline,
        {{ pair.metric | literal }} as metric,
        {{ pair.number }} as pair,
        query_id,
{% for segment in segments %}
{% set column %}segment_{{ loop.index }}{% endset %}
        coalesce(max(case when system = {{ pair.system | literal }} then {{ column }} end), max({{ column }})) as {{ column }},
{% endfor %}
{% for system in [pair.baseline, pair.system] %}
        sum(case when system = {{ system | literal }} then {% if pair.counts %}1.0{% else %}weight{% endif %} end) as {% if loop.first %}baseline_{% endif %}weight,
        avg(case when system = {{ system | literal }} then {{ pair.column | ident }} end) as {% if loop.first %}baseline_{% endif %}value{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ arms }}
    where system in ({{ pair.baseline | literal }}, {{ pair.system | literal }}) and {{ pair.column | ident }} is not null
    group by query_id
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

differences as (
    select
        *,
        value - baseline_value as difference
    from valued
)


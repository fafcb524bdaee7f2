{% from "macros/ids.sql" import column_of_id %}
{% set query %}query_id{% endset %}
-- the values of every query on both sides, for each candidate and metric; a difference where both have it
with

{% for pair in sides %}
candidate_{{ loop.index }} as (
    select
        query_id,
{% for segment in segments %}
        segment_{{ loop.index }},
{% endfor %}
        weight,
        {{ pair.column | ident }} as value
    from {{ arms }}
    where system = {{ pair.system | literal }} and {{ pair.column | ident }} is not null
),

baseline_{{ loop.index }} as (
    select
        query_id,
{% for segment in segments %}
        segment_{{ loop.index }},
{% endfor %}
        weight,
        {{ pair.column | ident }} as value
    from {{ arms }}
    where system = {{ pair.baseline | literal }} and {{ pair.column | ident }} is not null
),

{% endfor %}
pairs as (
{% for pair in sides %}
{% set candidate %}candidate_{{ loop.index }}{% endset %}
{% set baseline %}baseline_{{ loop.index }}{% endset %}
    select
        {{ pair.number }} as pair,
        {{ pair.system | literal }} as system,
        {{ pair.baseline | literal }} as baseline,
        {{ pair.metric | literal }} as metric,
        coalesce({{ candidate }}.query_id, {{ baseline }}.query_id) as query_id,
{% for segment in segments %}
        coalesce({{ candidate }}.segment_{{ loop.index }}, {{ baseline }}.segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
        {{ baseline }}.weight as baseline_weight,
        {{ candidate }}.weight as weight,
        {{ baseline }}.value as baseline_value,
        {{ candidate }}.value as value
    from {{ candidate }}
    full outer join {{ baseline }}
        on {{ candidate }}.query_id = {{ baseline }}.query_id
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
)

select
    system,
    baseline,
    metric,
    query_id,
{% for column in id_columns %}
    {{ column_of_id(query, column.number) }} as {{ column.name | ident }},
{% endfor %}
{% for segment in segments %}
    segment_{{ loop.index }} as {{ segment | ident }},
{% endfor %}
{% if weighted %}
    baseline_weight,
    weight,
{% endif %}
    baseline_value,
    value,
    value - baseline_value as difference
from pairs
order by pair, query_id

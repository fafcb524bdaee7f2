{# One row for each candidate, metric and query with a value on both sides. #}
-- the differences: a row for each candidate, metric and query that has a value on both sides
differences as (
{% for pair in pairs %}
    select
        {{ pair.system | literal }} as system,
        {{ pair.baseline | literal }} as baseline,
        {{ pair.metric | literal }} as metric,
        {{ loop.index }} as pair,
        scope,
{% for segment in segments %}
        segment_{{ loop.index }},
{% endfor %}
        query_id,
{% if cluster %}
        cluster,
{% endif %}
        {%+ if pair.counts %}1.0 as {% endif %}weight,
        {%+ if weighted and not pair.counts %}total_weight{% else %}1.0{% endif %} as total_weight,
        {%+ if weighted and not pair.counts %}scope_weight{% else %}1.0{% endif %} as scope_weight,
        {{ pair.baseline_value | ident }} as baseline_value,
        {{ pair.value | ident }} as value,
        {{ pair.difference | ident }} as difference
    from {{ paired }}
    where {{ pair.difference | ident }} is not null
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
){% if more %},{% endif +%}


{% if cumulating %}
-- the same with the sums of both rankings down to each place
cumulated as (
    select
        {{ keys }},
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        weight,
{% endif %}
{% if diagnostics %}
        tied,
{% endif %}
        relevance,
{% for column in columns %}
{% if column.step == "cumulated" %}
        {{ column.text }} as {{ column.name | ident }},
{% elif column.retrieved or column.padded or column.queried %}
        {{ column.name | ident }},
{% endif %}
{% endfor %}
        rank,
        place
    from observations
),
{% endif %}

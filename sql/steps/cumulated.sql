{% if cumulating %}
-- the same with the sums of both rankings down to each place
cumulated as (
    select
        {{ keys }},
        relevance,
{% for column in columns %}
{% if column.step == "cumulated" %}
        {{ column.text }} as {{ column.name | ident }},
{% elif column.retrieved or column.padded %}
        {{ column.name | ident }},
{% endif %}
{% endfor %}
        rank,
        place
    from observations
),
{% endif %}

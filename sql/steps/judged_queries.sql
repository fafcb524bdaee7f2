{% if not without_judgments %}
-- the queries that were judged, with what there is to find
judged_queries as (
    select
{% for segment in segments %}
{% if segment.judged %}
        max({{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endif %}
{% endfor %}
{% if qrels.weight %}
        max(weight) as weight,
{% endif %}
{% for column in columns if column.step == "judged_queries" %}
        cast({{ column.text }} as {{ double }}) as {{ column.name | ident }},
{% endfor %}
        query_id
    from judged
    group by query_id
),
{% endif %}

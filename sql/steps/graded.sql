-- the documents found that were judged, graded between 0 and 1
graded as (
    select
        {{ keys }},
        rank,
{% for column in columns if column.step == "graded" %}
        {%+ if not column.mean %}{{ column.text }} as {% endif %}{{ column.name | ident }},
{% endfor %}
        relevance
    from scored
{% for join in joins.graded %}
{% include join %}
{% endfor %}
),

-- what each of them is worth where it stands
subtopic_rows as (
    select
        {{ keys }},
{% for column in columns if column.padded and column.step in ["covered_subtopics", "subtopic_rows"] %}
        {%+ if column.step == "subtopic_rows" %}{{ column.text }} as {% endif %}{{ column.name | ident }},
{% endfor %}
        place
    from covered_subtopics
),

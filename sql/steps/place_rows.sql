{% from "macros/keys.sql" import keys_of with context %}
-- every place of every ranking, with what stands there
{{ every_place }} as (
    select
        {{ keys_of("query_rows") }},
{% for column in columns if column.step == "graded" %}
        coalesce(graded.{{ column.name | ident }}, 0) as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.step == "place_rows" %}
        {{ column.text }} as {{ column.name | ident }},
{% endfor %}
        place_numbers.place as place
    from query_rows
    cross join place_numbers
{% for join in joins.place_rows %}
{% include join %}
{% endfor %}
),

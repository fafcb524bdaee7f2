{% from "macros/steps.sql" import made_in, one_ranking %}
{% from "macros/ranking.sql" import keys_of, places_to %}
{% if places %}
-- the places of a ranking of {{ places }} documents
place_numbers as (
    {{ places_to(places) }}
),
{% if "graded" in steps %}
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
{% if scaled and not averaged %}
    cross join scale_rows
{% endif %}
),
{% endif %}
-- every place of every ranking, with what stands there
{%+ if "viewed_places" in steps %}unviewed_places{% else %}place_rows{% endif %} as (
    select
        {{ keys_of("query_rows", several) }},
{% for column in columns %}
{% if column.step == "graded" %}
        coalesce(graded.{{ column.name | ident }}, 0) as {{ column.name | ident }},
{% elif column.step == "place_rows" %}
        {{ column.text }} as {{ column.name | ident }},
{% endif %}
{% endfor %}
        place_numbers.place as place
    from query_rows
    cross join place_numbers
{% if "graded" in steps %}
    left join graded
        on {{ one_ranking("query_rows", "graded", several) }} and place_numbers.place = graded.rank
{% endif %}
{% if scaled %}
    cross join scale_rows
{% endif %}
),
{% if "viewed_places" in steps %}
-- the same with the chance that each place is viewed by a user who adapts
place_rows as (
    select
        {{ keys }},{{ made_in("viewed_places", columns, ["graded", "place_rows"]) }}
        place
    from unviewed_places
),
{% endif %}
{% endif %}

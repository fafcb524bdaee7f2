{% from "macros/ranking.sql" import places_to %}
-- the places of a ranking of {{ places }} documents
place_numbers as (
    {{ places_to(places) }}
),

{% from "macros/steps.sql" import made_in with context %}
-- the same with the chance that each place is viewed by a user who adapts
place_rows as (
    select
        {{ keys }},{{ made_in("viewed_places", ["graded", "place_rows"]) }}
        place
    from unviewed_places
),

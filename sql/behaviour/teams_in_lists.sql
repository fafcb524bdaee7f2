{# Of how many rows the list of teams has another length than that of what was shown. #}
{% from "macros/places.sql" import texts_of %}
select
    count(*) as uneven,
    max(array_to_string(shown, ', ')) as shown_example,
    arg_max(array_to_string(teams, ', '), array_to_string(shown, ', ')) as teams_example
from (
    select
        coalesce({{ texts_of(shown, json, separator) }}, []) as shown,
        coalesce({{ texts_of(teams, json, separator) }}, []) as teams
    from {{ reader }}
)
where len(teams) <> len(shown)

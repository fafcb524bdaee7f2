{% from "macros/places.sql" import list_of %}
{# The row of lists that a place in all of them comes from, both counted from 1. #}
select count(*) + 1 as row_of_lists
from (
    select sum(places) over (order by row_of_lists asc rows unbounded preceding) as places_so_far
    from (
        select
            coalesce(len({{ list_of(lists[0].name, json, separator) }}), 0) as places,
            row_number() over () as row_of_lists
        from {{ reader }}
    )
)
where places_so_far < ?

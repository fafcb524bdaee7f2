{# Of how many rows the second list can be understood in each way: as what happened at each place, as the places that were
   clicked from 1 or from 0, or as the documents that were clicked; and how many rows say nothing. #}
{% from "macros/places.sql" import texts_of %}
select
    count(*) as rows_read,
    count(*) filter (where len(clicks) = len(shown) and len(list_filter(clicks, lambda click: lower(click) not in ('0', '1', '0.0', '1.0', 'true', 'false', 't', 'f'))) = 0) as flags,
    count(*) filter (where len(list_filter(clicks, lambda click: coalesce(try_cast(click as bigint) not between 1 and len(shown), true))) = 0 and len(list_distinct(clicks)) = len(clicks)) as places,
    count(*) filter (where len(list_filter(clicks, lambda click: not list_contains(shown, click))) = 0) as documents,
    count(*) filter (where len(clicks) = 0 and len(shown) > 0) as without,
    max(array_to_string(shown, ', ')) filter (where len(clicks) > 0) as shown_example,
    arg_max(array_to_string(clicks, ', '), array_to_string(shown, ', ')) filter (where len(clicks) > 0) as clicks_example
from (
    select
        coalesce({{ texts_of(shown, json, separator) }}, []) as shown,
        coalesce({{ texts_of(clicks, json, separator) }}, []) as clicks
    from {{ reader }}
)

{# What queries returned, as events of an action: each document at its place in the list. #}
{% from "macros/places.sql" import texts_of %}
select
    {{ impression_id | ident }} as impression_id,
    {{ query_id | ident }} as query_id,
    unnest({{ texts_of(hits, json, separator) }}) as doc_id,
    generate_subscripts({{ texts_of(hits, json, separator) }}, 1) as position,
    {{ action | literal }} as action
from {{ reader }}

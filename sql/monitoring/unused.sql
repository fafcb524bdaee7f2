{% from "macros/days.sql" import day_of, has_day %}
-- how many documents were judged, and how many of them were returned on the last days
with

recent as (
    select
        cast({{ shown.query | ident }} as varchar) as query_id,
        cast({{ shown.document | ident }} as varchar) as doc_id,
        {{ day_of(shown.day) }} as day
    from {{ shown.relation }}
    where {{ has_day(shown.day) }}
    qualify date_diff('day', day, max(day) over ()) < {{ span }}
)

select
    count(*) as judged,
    count(recent.doc_id) as returned
from {{ judged.relation }} as judgments
left join (select distinct query_id, doc_id from recent) as recent
    on
        cast(judgments.{{ judged.query_id | ident }} as varchar) = recent.query_id
        and cast(judgments.{{ judged.doc_id | ident }} as varchar) = recent.doc_id
where judgments.{{ judged.relevance | ident }} is not null

-- how many documents were judged, and how many of them were returned on the last days
with

{% include "monitoring/shown.sql" %}

last_day as (
    select max(day) as last_one
    from shown
),

recent as (
    select distinct
        query_id,
        doc_id
    from shown
    where date_diff('day', day, (select last_one from last_day)) < {{ span }}
)

select
    count(*) as judged,
    count(recent.doc_id) as returned
from {{ judged.relation }} as judgments
left join recent
    on
        cast(judgments.{{ judged.query_id | ident }} as varchar) = recent.query_id
        and cast(judgments.{{ judged.doc_id | ident }} as varchar) = recent.doc_id
where judgments.{{ judged.relevance | ident }} is not null

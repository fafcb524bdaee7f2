{# Each item of an event once: the same of the same user, at the same time, in the same list, is one that was sent again.
   `beside` is its place among the items of its list, from 0, and `numbered` whether all of these say their position. #}
{% from "macros/exports.sql" import is_whole %}
select
    event,
    action,
    user_id,
    session_id,
    time,
    moment,
    application,
    system,
    term,
    list_id,
    list_name,
    doc_id,
    position,
    beside,
    numbered,
    {{ is_whole() }} as whole
from (
    select
        *,
        {{ is_whole() }} and row_number() over (
            partition by user_id, session_id, time, action, term, list_id, list_name, doc_id, occurrence
            order by event asc
        ) > 1 as repeated
    from (
        select
            *,
            row_number() over (partition by event, list_id, list_name order by place asc) - 1 as beside,
            count(position) over (partition by event, list_id, list_name) = count(*) over (partition by event, list_id, list_name) as numbered,
            row_number() over (partition by event, list_id, list_name, doc_id order by place asc) as occurrence
        from {{ items }}
        where not again
    )
)
where not repeated

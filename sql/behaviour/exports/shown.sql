{# What was shown: each item at its position, in a list that is an impression, with the search that the list answers: that of
   its event, else the last one before it in the session. Positions of lists that do not say them begin where others do. #}
select
    cast(to_json([lists.user_id, lists.session_id, cast(lists.time as varchar), coalesce(lists.list_id, lists.list_name)]) as varchar) as impression_id,
    coalesce(lists.term, terms.term) as query_id,
    lists.term is null as inherited,
    lists.user_id,
    lists.session_id,
    lists.time,
    lists.moment,
    lists.application,
    lists.system,
    lists.list_id,
    lists.list_name,
    lists.doc_id,
    lists.numbered,
    case when lists.numbered then lists.position else lists.beside + lists.base end as position
from (
    select
        *,
        least(coalesce(min(case when numbered then position end) over (partition by application), 1), 1) as base
    from {{ items }}
    where whole
        and action = 'shown'
) as lists
asof left join {{ terms }} as terms
    on lists.user_id = terms.user_id
        and lists.session_id = terms.session_id
        and lists.moment >= terms.moment

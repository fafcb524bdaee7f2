{# How much of what was done belongs to an impression, to a list that answers no search, and to none, with an example. #}
select
    done.action,
    count(*) as deeds,
    count(*) filter (where done.impression_id is null) as orphans,
    count(*) filter (where lists.no_search) as no_search,
    arg_min(done.doc_id, done.deed) filter (where done.impression_id is null) as document_example,
    arg_min(done.user_id, done.deed) filter (where done.impression_id is null) as user_example
from {{ done }} as done
left join (
    select
        impression_id,
        min(query_id) is null as no_search
    from {{ shown }}
    group by impression_id
) as lists on done.impression_id = lists.impression_id
group by done.action

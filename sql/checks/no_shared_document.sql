{#
title = "no judged document is in any ranking"
input = "run"
message = "no judged document is in the ranking of its query: in query {query_id} the run has {found} ({found_type}), the judgments have {judged} ({judged_type}); ids are compared as text, so padding and prefixes count"
#}
select
    case when exists (
        select 1
        from {{ run }} as found
        inner join {{ judged }} as judged
            on cast(found.query_id as varchar) = cast(judged.query_id as varchar)
            and cast(found.doc_id as varchar) = cast(judged.doc_id as varchar)
        where judged.relevance is not null
    ) then 0 else 1 end as findings,
    example.query_id,
    example.found,
    example.found_type,
    example.judged,
    example.judged_type
from (
    select
        cast(found.query_id as varchar) as query_id,
        min(cast(found.doc_id as varchar)) as found,
        min(lower(typeof(found.doc_id))) as found_type,
        min(cast(judged.doc_id as varchar)) as judged,
        min(lower(typeof(judged.doc_id))) as judged_type
    from {{ run }} as found
    inner join {{ judged }} as judged
        on cast(found.query_id as varchar) = cast(judged.query_id as varchar)
    group by cast(found.query_id as varchar)
    order by cast(found.query_id as varchar)
    limit 1
) as example

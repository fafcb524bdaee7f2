{#
title = "no judged document is in any ranking"
input = "run"
ids = "doc_id"
severity = "note"
message = "no judged document is in the ranking of its query: in query {query_id} the run has {found} ({found_type}), the judgments have {judged} ({judged_type}); every metric of what is relevant is 0"
#}
select
    example.query_id,
    example.found,
    example.found_type,
    example.judged,
    example.judged_type
from (
    select
        cast(found.query_id as {{ text }}) as query_id,
        min(cast(found.doc_id as {{ text }})) as found,
        min(replace(lower(typeof(found.doc_id)), 'string', 'varchar')) as found_type,
        min(cast(judged.doc_id as {{ text }})) as judged,
        min(replace(lower(typeof(judged.doc_id)), 'string', 'varchar')) as judged_type
    from {{ run }} as found
    inner join {{ judged }} as judged
        on cast(found.query_id as {{ text }}) = cast(judged.query_id as {{ text }})
    group by cast(found.query_id as {{ text }})
    order by cast(found.query_id as {{ text }})
    limit 1
) as example
where
    not exists (
        select 1
        from {{ run }} as found
        inner join {{ judged }} as judged
            on cast(found.query_id as {{ text }}) = cast(judged.query_id as {{ text }})
            and cast(found.doc_id as {{ text }}) = cast(judged.doc_id as {{ text }})
        where judged.relevance is not null
    )

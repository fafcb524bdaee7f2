{#
title = "a system and the baseline share no document"
input = "run"
ids = "doc_id"
severity = "note"
message = "no document is in the rankings of both {system} and {baseline} for any query: in query {query_id}, {system} has {found}, {baseline} has {beside}; they share nothing"
#}
select
    {{ system | literal }} as system,
    {{ baseline | literal }} as baseline,
    example.query_id,
    example.found,
    example.beside
from (
    select
        cast(query_id as {{ text }}) as query_id,
        min(case when cast(system as {{ text }}) = {{ system | literal }} then cast(doc_id as {{ text }}) end) as found,
        min(case when cast(system as {{ text }}) = {{ baseline | literal }} then cast(doc_id as {{ text }}) end) as beside
    from {{ run }}
    group by cast(query_id as {{ text }})
) as example
where
    example.found is not null
    and example.beside is not null
    and not exists (
        select 1
        from {{ run }} as changed
        inner join {{ run }} as original
            on cast(changed.query_id as {{ text }}) = cast(original.query_id as {{ text }})
            and cast(changed.doc_id as {{ text }}) = cast(original.doc_id as {{ text }})
        where
            cast(changed.system as {{ text }}) = {{ system | literal }}
            and cast(original.system as {{ text }}) = {{ baseline | literal }}
    )

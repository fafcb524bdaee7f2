(
    select
        query_id,
        doc_id
    from {{ run }}
    where cast(system as {{ text }}) = {{ system | literal }}
)

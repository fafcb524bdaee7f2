        select
            query_id,
            doc_id,
            rank,
            cast(null as {{ double }}) as relevance
        from ranked
        where rank <= {{ limit }}

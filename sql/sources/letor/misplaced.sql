{# The first score of RankLib that is of another query, or another place among its documents, than the line next to it. #}
select
    number,
    query_id,
    place,
    scored_query,
    scored_place
from (
    select
        *,
        row_number() over (partition by query_id order by number asc) - 1 as place
    from (
        select
            row_number() over () as number,
            *
        from {{ documents | trim | indent | indent | indent }}
        positional join (
            {{ scores | trim | indent | indent | indent | indent }}
        ) as scores
    )
)
where scored_query <> query_id or scored_place <> place
order by number asc
limit 1

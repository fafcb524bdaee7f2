-- The means over all judged queries, of which one without anything to find counts as 0.
create temp view means as
with

found as (
    select
        query_id,
        sum(relevance / log2(rank + 1)) filter (where rank <= 10) as dcg,
        sum(hit / rank) as precisions,
        count(*) filter (where rank <= 10) as first_ten,
        count(*) filter (where rank <= 100) as first_hundred,
        min(rank) as first
    from (
        select
            *,
            row_number() over (partition by query_id order by rank) as hit
        from hits
    ) as numbered
    group by query_id
),

ideal as (
    select
        query_id,
        sum(relevance / log2(place + 1)) filter (where place <= 10) as dcg,
        nullif(count(*) filter (where relevance >= 1), 0) as relevant
    from (
        select
            query_id,
            relevance,
            row_number() over (partition by query_id order by relevance desc) as place
        from judged
    ) as best
    group by query_id
)

select
    avg(coalesce(found.dcg / nullif(ideal.dcg, 0), 0)) as ndcg_10,
    avg(coalesce(found.precisions / ideal.relevant, 0)) as ap,
    avg(coalesce(found.first_ten, 0) / 10) as p_10,
    avg(coalesce(1 / found.first, 0)) as rr,
    avg(coalesce(found.first_hundred / ideal.relevant, 0)) as recall_100
from ideal
left join found
    on ideal.query_id = found.query_id;

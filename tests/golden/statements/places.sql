-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m p@10 -m ap@10 --like rectools
-- with rel=1, order=rank, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- assumes, as RecTools does: every judgment is relevant
-- assumes, as RecTools does: ranks are whole numbers from 1 on, each once in a ranking
with
-- the rank of each document
ranked as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(rank as double) as rank
    from ranker.results
    where rank is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from judgments
    where relevance is not null
)
select
    judged.query_id as query_id,
    sum(case when rank <= 10 and relevance >= 1 then 1e0 else 0 end) / 10 as p_at_10,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where rank <= 10 and relevance >= 1), 'asc')]), 0)
        / nullif(sum(case when relevance >= 1 then 1e0 else 0 end), 0), 0
    ) as ap_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
group by judged.query_id

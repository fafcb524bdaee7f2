-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 -m ap --dialect spark --column 'run.query_id=query id'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the documents returned and those judged, which are divided by query once
placed as (
    select
        query_id,
        doc_id,
        relevance,
        row_number() over (partition by query_id order by relevance desc) as ideal_rank,
        case
            when relevance is null then row_number() over (partition by query_id order by score desc, doc_id desc)
        end as rank
    from (
        select
            cast(`query id` as string) as query_id,
            cast(doc_id as string) as doc_id,
            cast(score as double) as score,
            cast(null as double) as relevance
        from ranker.results
        where score is not null

        union all

        select
            cast(query_id as string) as query_id,
            cast(doc_id as string) as doc_id,
            null as score,
            cast(relevance as double) as relevance
        from judgments
        where relevance is not null
    ) as both_inputs
),
-- each judged document with its rank, null where it was not found
judged as (
    select
        query_id,
        min(rank) as rank,
        min(ideal_rank) as ideal_rank,
        max(relevance) as relevance
    from placed
    group by query_id, doc_id
    having max(relevance) is not null
),
-- the same with what stands above each of them
scored as (
    select
        judged.query_id as query_id,
        judged.relevance as relevance,
        sum(case when rank is not null and relevance >= 1 then 1 else 0 end) over (
            partition by judged.query_id order by rank asc rows between unbounded preceding and current row
        ) as hits,
        judged.ideal_rank as ideal_rank,
        judged.rank as rank
    from judged
)
select
    scored.query_id as query_id,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(sum(case when ideal_rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(ideal_rank + 1) else 0 end), 0), 0
    ) as ndcg_at_10,
    coalesce(
        sum(case when rank is not null and relevance >= 1 then hits / rank else 0 end)
        / nullif(sum(case when relevance >= 1 then 1 else 0 end), 0), 0
    ) as ap
from scored
group by scored.query_id

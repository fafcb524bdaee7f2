-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --ties number-desc
-- with rel=1, ties=number-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rank of each document
ranked as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        row_number() over (
            partition by cast(query_id as varchar)
            order by cast(score as double) desc, length(cast(doc_id as varchar)) desc, cast(doc_id as varchar) desc
        ) as rank
    from ranker.results
    where score is not null
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
    max(case when rank <= 10 and relevance >= 1 then 1e0 / rank else 0 end) as rr_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
group by judged.query_id

-- sqlrank 0.2.0: sqlrank sql ranker.results --qrels judgments -m 'ap(rel=2)@100' -m ap@100 -m rprec
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
with
-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
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
),
-- the rank of each document
ranked as (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
    from run_rows
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select
        query_id,
        cast(sum(case when relevance >= 2 then 1 else 0 end) as double) as relevant_rel2,
        cast(sum(case when relevance >= 1 then 1 else 0 end) as double) as relevant
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select
        query_id,
        count(*) as returned
    from run_rows
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        judged.query_id as query_id,
        coalesce(judged.relevant_rel2, 0) as relevant_rel2,
        coalesce(judged.relevant, 0) as relevant,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    left join found_queries as found
        on judged.query_id = found.query_id
),
-- the documents found that were judged, with what stands above each of them
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        sum(case when relevance >= 2 then 1 else 0 end) over (
            partition by ranked.query_id order by rank rows between unbounded preceding and current row
        ) as hits_rel2,
        sum(case when relevance >= 1 then 1 else 0 end) over (
            partition by ranked.query_id order by rank rows between unbounded preceding and current row
        ) as hits,
        query_rows.relevant as query_relevant,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    inner join query_rows
        on ranked.query_id = query_rows.query_id
),
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
    select
        query_id,
        hits_rel2,
        cast(null as double) as relevant_rel2,
        hits,
        cast(null as double) as relevant,
        query_relevant,
        relevance,
        rank,
        nullif(rank, rank) as place
    from scored

    union all

    select
        query_id,
        null as hits_rel2,
        relevant_rel2,
        null as hits,
        relevant,
        null as query_relevant,
        null as relevance,
        null as rank,
        null as place
    from query_rows
)
select
    query_id,
    coalesce(
        sum(case when rank <= 100 and relevance >= 2 then hits_rel2 / rank else 0 end)
        / nullif(max(relevant_rel2), 0), 0
    ) as ap_rel2_at_100,
    coalesce(
        sum(case when rank <= 100 and relevance >= 1 then hits / rank else 0 end)
        / nullif(max(relevant), 0), 0
    ) as ap_at_100,
    coalesce(
        sum(case when rank <= query_relevant and relevance >= 1 then 1 else 0 end) / nullif(max(relevant), 0), 0
    ) as rprec
from observations
group by query_id

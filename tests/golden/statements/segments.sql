-- sqlrank 0.2.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 --by queries.country --queries queries --query-set shared --weight queries.traffic
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=shared, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
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
        query_id
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
        found.query_id as query_id,
        coalesce(
            cast(asked.country as varchar),
            case when found.query_id is null then '(no results)' else '(none)' end
        ) as country,
        cast(asked.traffic as double) as weight,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from found_queries as found
    inner join judged_queries as judged
        on found.query_id = judged.query_id
    left join queries as asked
        on found.query_id = cast(asked.query_id as varchar)
),
-- the documents found that were judged
scored as (
    select
        ranked.query_id as query_id,
        judged.relevance as relevance,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    where ranked.rank <= 10
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, sum(relevance * ln(2.0) / ln(ideal_rank + 1)) as best_dcg_at_10
    from (
        select query_id, unnest(max(relevance, 10)) as relevance, generate_subscripts(max(relevance, 10), 1) as ideal_rank
        from judged
        where relevance > 0
        group by query_id
    ) as places
    group by query_id
),
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
    select
        query_id,
        cast(null as varchar) as country,
        cast(null as double) as weight,
        cast(null as double) as best_dcg_at_10,
        relevance,
        rank,
        nullif(rank, rank) as place
    from scored

    union all

    select
        query_rows.query_id as query_id,
        null as country,
        null as weight,
        cast(ideal.best_dcg_at_10 as double) as best_dcg_at_10,
        null as relevance,
        null as rank,
        null as place
    from query_rows
    inner join ideal
        on query_rows.query_id = ideal.query_id

    union all

    select
        query_id,
        country,
        weight,
        null as best_dcg_at_10,
        null as relevance,
        null as rank,
        null as place
    from query_rows
)
select
    query_id,
    max(country) as country,
    max(weight) as weight,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10
from observations
group by query_id

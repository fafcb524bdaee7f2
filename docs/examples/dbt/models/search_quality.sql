-- sqlrank 0.2.0: sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap -m rr -m p@3 --against keyword --by queries.country --column system=system --fail-on-drop ndcg@10=0.05 --fail-under ndcg@10=0.5 --name search_quality --queries queries --weight queries.traffic
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
with
-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(system as varchar) as system,
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from {{ ref('runs') }}
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from {{ ref('judgments') }}
    where relevance is not null
),
-- the rank of each document
ranked as (
    select
        system,
        query_id,
        doc_id,
        row_number() over (partition by system, query_id order by score desc, doc_id desc) as rank
    from run_rows
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select
        query_id,
        cast(sum(case when relevance >= 1 then 1 else 0 end) as double) as relevant
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select
        system,
        query_id,
        count(*) as returned
    from run_rows
    group by system, query_id
),
-- the systems
system_rows as (
    select distinct system
    from run_rows
),
-- the queries that are averaged
query_rows as (
    select
        system_rows.system as system,
        judged.query_id as query_id,
        coalesce(
            cast(asked.country as varchar),
            case when found.query_id is null then '(no results)' else '(none)' end
        ) as country,
        cast(asked.traffic as double) as weight,
        coalesce(judged.relevant, 0) as relevant,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    cross join system_rows
    left join found_queries as found
        on judged.query_id = found.query_id and system_rows.system = found.system
    left join {{ ref('queries') }} as asked
        on judged.query_id = cast(asked.query_id as varchar)
),
-- the documents found that were judged, with what stands above each of them
scored as (
    select
        ranked.system as system,
        ranked.query_id as query_id,
        judged.relevance as relevance,
        sum(case when relevance >= 1 then 1 else 0 end) over (
            partition by ranked.system, ranked.query_id order by rank rows between unbounded preceding and current row
        ) as hits,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
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
        system, query_id,
        cast(null as varchar) as country,
        cast(null as double) as weight,
        cast(null as double) as best_dcg_at_10,
        hits,
        cast(null as double) as relevant,
        relevance,
        rank,
        nullif(rank, rank) as place
    from scored

    union all

    select
        query_rows.system as system, query_rows.query_id as query_id,
        null as country,
        null as weight,
        cast(ideal.best_dcg_at_10 as double) as best_dcg_at_10,
        null as hits,
        null as relevant,
        null as relevance,
        null as rank,
        null as place
    from query_rows
    inner join ideal
        on query_rows.query_id = ideal.query_id

    union all

    select
        system, query_id,
        country,
        weight,
        null as best_dcg_at_10,
        null as hits,
        relevant,
        null as relevance,
        null as rank,
        null as place
    from query_rows
)
select
    system,
    query_id,
    max(country) as country,
    max(weight) as weight,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10,
    coalesce(
        sum(case when relevance >= 1 then hits / rank else 0 end)
        / nullif(max(relevant), 0), 0
    ) as ap,
    max(case when relevance >= 1 then 1 / rank else 0 end) as rr,
    sum(case when rank <= 3 and relevance >= 1 then 1 else 0 end) / 3 as p_at_3
from observations
group by system, query_id

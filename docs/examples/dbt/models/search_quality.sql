-- sqlrank 0.3.0: sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap -m rr -m p@3 --against keyword --by queries.country --column system=system --fail-on-drop ndcg@10=0.05 --fail-under ndcg@10=0.5 --name search_quality --queries queries --weight queries.traffic
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rank of each document
ranked as (
    select
        cast(system as varchar) as system,
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        row_number() over (partition by cast(system as varchar), cast(query_id as varchar) order by cast(score as double) desc, cast(doc_id as varchar) desc) as rank
    from {{ ref('runs') }}
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from {{ ref('judgments') }}
    where relevance is not null
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, sum(case when relevance >= 1 then 1e0 else 0 end) as relevant
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select cast(system as varchar) as system, cast(query_id as varchar) as query_id
    from {{ ref('runs') }}
    where score is not null
    group by cast(system as varchar), cast(query_id as varchar)
),
-- the systems
system_rows as (
    select distinct cast(system as varchar) as system
    from {{ ref('runs') }}
    where score is not null
),
-- the queries that are averaged
query_rows as (
    select
        coalesce(
            system_rows.system,
            cast(cast(
                case
                    when system_rows.system is null
                        then 'a row has no system: name it, or leave the row out (--where)'
                    else '0'
                end as integer
            ) as varchar)
        ) as system,
        judged.query_id as query_id,
        coalesce(cast(asked.country as varchar), case when found.query_id is null then '(no results)' else '(none)' end) as country,
        cast(asked.traffic as double) as weight,
        cast(coalesce(judged.relevant, 0) as double) as relevant
    from judged_queries as judged
    cross join system_rows
    left join found_queries as found
        on judged.query_id = found.query_id and system_rows.system = found.system
    left join {{ ref('queries') }} as asked
        on judged.query_id = cast(asked.query_id as varchar)
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.system as system, ranked.query_id as query_id,
        judged.relevance as relevance,
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
    where judged.relevance > 0
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, list_sum([relevance * ln(2.0) / ln(ideal_rank + 1) for relevance, ideal_rank in max(relevance, 10)]) as best_dcg_at_10
    from judged
    where relevance > 0
    group by query_id
)
select
    query_rows.system as system,
    query_rows.query_id as query_id,
    max(country) as country,
    max(weight) as weight,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10,
    coalesce(
        coalesce(list_sum([1e0 * hits / rank for rank, hits in list_sort(list(rank) filter (where relevance >= 1), 'asc')]), 0)
        / nullif(max(query_rows.relevant), 0), 0
    ) as ap,
    max(case when relevance >= 1 then 1e0 / rank else 0 end) as rr,
    sum(case when rank <= 3 and relevance >= 1 then 1e0 else 0 end) / 3 as p_at_3
from query_rows
left join scored on query_rows.query_id = scored.query_id and query_rows.system = scored.system
left join ideal on query_rows.query_id = ideal.query_id
group by query_rows.system, query_rows.query_id

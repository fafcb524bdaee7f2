-- sqlrank 0.3.0: sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap -m rr -m p@3 --against keyword --by queries.country --column system=system --fail-on-drop ndcg@10=0.05 --fail-under ndcg@10=0.5 --name search_quality --queries queries --weight queries.traffic
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- a row for each finding, and none where the inputs are what the statement counts on
with
-- the rankings as they stand
run_rows as (
    select
        cast(system as varchar) as system,
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from {{ ref('runs') }}
),
-- the judgments as they stand
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from {{ ref('judgments') }}
),
-- the table of queries as it stands
asked as (
    select
        cast(traffic as double) as weight,
        cast(query_id as varchar) as query_id
    from {{ ref('queries') }}
),
-- the queries that are averaged, with their weights
weighed as (
    select
        averaged.query_id,
        min(asked_weights.weight) as weight
    from (
        select distinct query_id
        from judged
    ) as averaged
    left join asked as asked_weights
        on averaged.query_id = asked_weights.query_id
    group by averaged.query_id
),
findings as (
    select
        'an id is missing' as finding,
        'run' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from run_rows
    where query_id is null or doc_id is null

    union all

    select
        'a system is missing' as finding,
        'run' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from run_rows
    where system is null

    union all

    select
        'a score is null, not a number, or infinite' as finding,
        'run' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from run_rows
    where coalesce(score - score, 1) <> 0

    union all

    select
        'a document appears twice in one ranking' as finding,
        'run' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from (
        select
            min(doc_id) as doc_id,
            query_id
        from run_rows
        group by system, query_id, doc_id
        having count(*) > 1
    ) as found

    union all

    select
        'there are no rows' as finding,
        'run' as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as varchar) as query_id,
        cast(null as varchar) as doc_id
    from run_rows

    union all

    select
        'an id is missing' as finding,
        'qrels' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from judged
    where query_id is null or doc_id is null

    union all

    select
        'there are no rows' as finding,
        'qrels' as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as varchar) as query_id,
        cast(null as varchar) as doc_id
    from judged

    union all

    select
        'a relevance is not a number' as finding,
        'qrels' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from judged
    where coalesce(relevance - relevance, 1) <> 0

    union all

    select
        'a document is judged twice for one query' as finding,
        'qrels' as input,
        count(*) as findings,
        min(query_id) as query_id,
        min(doc_id) as doc_id
    from (
        select
            min(doc_id) as doc_id,
            query_id
        from judged
        group by query_id, doc_id
        having count(*) > 1
    ) as found

    union all

    select
        'no relevance reaches the level' as finding,
        'qrels' as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as varchar) as query_id,
        cast(null as varchar) as doc_id
    from judged
    where relevance >= 1 or not exists (select 1 from judged where relevance > 0)

    union all

    select
        'run and judgments share no query' as finding,
        'run' as input,
        count(*) as findings,
        min(query_id) as query_id,
        cast(null as varchar) as doc_id
    from run_rows
    where not exists (
        select 1
        from run_rows as any_rows
        where any_rows.query_id in (select judged.query_id from judged)
    )

    union all

    select
        'an id is missing' as finding,
        'queries' as input,
        count(*) as findings,
        min(query_id) as query_id,
        cast(null as varchar) as doc_id
    from asked
    where query_id is null

    union all

    select
        'there are no rows' as finding,
        'queries' as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as varchar) as query_id,
        cast(null as varchar) as doc_id
    from asked

    union all

    select
        'a weight is not a number' as finding,
        'queries' as input,
        count(*) as findings,
        min(query_id) as query_id,
        cast(null as varchar) as doc_id
    from asked
    where weight is not null and coalesce(weight - weight, 1) <> 0

    union all

    select
        'a query has no weight, or a negative one' as finding,
        'queries' as input,
        count(*) as findings,
        min(query_id) as query_id,
        cast(null as varchar) as doc_id
    from weighed
    where weight is null or weight < 0

    union all

    select
        'a query appears twice in the table of queries' as finding,
        'queries' as input,
        count(*) as findings,
        min(query_id) as query_id,
        cast(null as varchar) as doc_id
    from (
        select
            query_id
        from asked
        group by query_id
        having count(*) > 1
    ) as found
)
select
    finding,
    input,
    findings,
    query_id,
    doc_id
from findings
where findings > 0

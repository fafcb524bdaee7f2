-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m ndcg@10 --system production --keep country --create table daily --incremental ds --query-set judged
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- a run adds one partition, the first that the table does not hold: run this again until none is added
-- the judgments count in every partition, also those of queries that it has no results for
-- a row appears in the table once: where two runs add a partition at the same time, one of them fails
create table if not exists daily as
select
    run.ds as ds,
    cast(null as varchar) as system,
    cast(null as varchar) as query_id,
    run.country as country,
    cast(null as double) as ndcg_at_10,
    cast(null as varchar) as sqlrank_definition
from ranker.results as run
where 1 = 0;

create unique index if not exists daily_key on daily (ds, system, query_id);

insert into daily (ds, system, query_id, country, ndcg_at_10, sqlrank_definition)
select
    sqlrank_rows.*,
    'ndcg@10; trec_eval''s conventions' as sqlrank_definition
from (
    with
    -- the first partition of the run that the table does not hold yet
    next_partition as (
        select min(every_row.ds) as first_one
        from ranker.results as every_row
        left join (
            select distinct
                ds as held_partition
            from daily
            where system = 'production'
        ) as held
            on every_row.ds = held_partition
        where
            held_partition is null and every_row.ds is not null
            and every_row.score is not null

        having min(every_row.ds) is not null and (
            select
                cast(
                    case
                        when count(*) > 0
                            then 'the table holds rows that are not ndcg@10; trec_eval''s conventions; name another table, or make all partitions anew'
                        else '0'
                    end as integer
                )
            from daily
            where sqlrank_definition is null or sqlrank_definition <> 'ndcg@10; trec_eval''s conventions'
        ) = 0
    ),
    -- its rows
    partition_rows as (
        select every_row.*
        from ranker.results as every_row
        where every_row.ds = (select next_partition.first_one from next_partition)
    ),
    -- the rank of each document, down to the last that counts
    ranked as (
        select query_id, unnest(first_ones).doc_id as doc_id, generate_subscripts(first_ones, 1) as rank
        from (
            select cast(query_id as varchar) as query_id, max(struct_pack(score := cast(score as double), doc_id := cast(doc_id as varchar)), 10) as first_ones
            from partition_rows
            where score is not null
            group by cast(query_id as varchar)
        ) as rankings
    ),
    -- the judgments: one row for each judged document of a query
    judged as not materialized (
        select
            cast(query_id as varchar) as query_id,
            cast(doc_id as varchar) as doc_id,
            cast(relevance as double) as relevance
        from judgments
        where relevance is not null
    ),
    -- the discounted gain of the judgments in the best order
    ideal as (
        select query_id, list_sum([relevance * ln(2.0) / ln(ideal_rank + 1) for relevance, ideal_rank in max(relevance, 10)]) as best_dcg_at_10
        from judged
        where relevance > 0
        group by query_id
    ),

    -- columns that are carried along to the rows of the queries
    run_columns as (
        select
            cast(query_id as varchar) as query_id,
            max(country) as kept_country
        from partition_rows
        where score is not null
        group by cast(query_id as varchar)
    )
    select
        max(next_partition.first_one) as ds,
        'production' as system,
        judged.query_id as query_id,
        max(run_columns.kept_country) as country,
        coalesce(
            sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
            / nullif(max(best_dcg_at_10), 0), 0
        ) as ndcg_at_10
    from judged
    left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
    left join ideal on judged.query_id = ideal.query_id
    left join run_columns on judged.query_id = run_columns.query_id
    cross join next_partition
    group by judged.query_id
) as sqlrank_rows

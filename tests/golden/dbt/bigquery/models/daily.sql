-- sqlrank 0.3.0: sqlrank dbt . runs -m ndcg@10 --dialect bigquery --incremental Day --against control --by country --column system=variant --fail-on-drop ndcg@10=0.01 --gate-segments --name daily
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- a partition that is made again is deleted first: where the run then fails, the next one adds it
{{ config(
    materialized='incremental',
    incremental_strategy='merge',
    pre_hook="{% if is_incremental() and var('sqlrank_partition', none) is not none %}delete from {{ this }} where cast(`Day` as string) = '{{ var('sqlrank_partition') }}'{% endif %}",
    on_schema_change='fail'
) }}
{% set sqlrank_asked = ('=' ~ var('sqlrank_partition')) if var('sqlrank_partition', none) is not none else none %}
{% set sqlrank_days = ['='] %}
{% set sqlrank_held = false %}
{% if execute %}
{% set sqlrank_table = adapter.get_relation(this.database, this.schema, this.identifier) %}
{% set sqlrank_held = sqlrank_table is not none and not flags.FULL_REFRESH %}
{% set sqlrank_missing %}
select '=' || cast(every_row.`Day` as string) as missing
{% if sqlrank_held and sqlrank_asked is none %}
    from {{ ref('runs') }} as every_row
    left join (
        select distinct
            `Day` as held_partition,
            system as held_system
        from {{ sqlrank_table }}
    ) as held
        on every_row.`Day` = held_partition and cast(every_row.variant as string) = held_system
    where
        held_partition is null and every_row.`Day` is not null
        and every_row.score is not null
        and every_row.relevance is not null

{% else %}
    from {{ ref('runs') }} as every_row
    where
        every_row.`Day` is not null
        and every_row.score is not null
        and every_row.relevance is not null

{% endif %}
group by every_row.`Day`
order by every_row.`Day` asc
{% endset %}
{% set sqlrank_missing = run_query(sqlrank_missing).columns[0].values() | list %}
{% if sqlrank_asked is not none and sqlrank_asked not in sqlrank_missing %}
{% do exceptions.raise_compiler_error('sqlrank: the run has no rows of the partition ' ~ sqlrank_asked[1:] ~ ' (sqlrank_partition), so nothing takes its place') %}
{% endif %}
{% set sqlrank_missing = [sqlrank_asked] if sqlrank_asked is not none else sqlrank_missing %}
{% set sqlrank_most = var('sqlrank_most', 31) | int %}
{% set sqlrank_days = sqlrank_missing[:sqlrank_most] or ['='] %}
{% if sqlrank_held %}
{% set sqlrank_other %}
select '=' || min(coalesce(sqlrank_definition, 'none')) as other
from {{ sqlrank_table }}
where sqlrank_definition is null or sqlrank_definition <> 'ndcg@10; trec_eval\'s conventions; by country'
{% endset %}
{% set sqlrank_other = run_query(sqlrank_other).columns[0].values() | first %}
{% if sqlrank_other %}
{% do exceptions.raise_compiler_error('sqlrank: the table was made with another definition: ' ~ sqlrank_other[1:] ~ '; dbt build --full-refresh makes every partition anew') %}
{% endif %}
{% endif %}
{% if sqlrank_missing | length > sqlrank_most %}
{% set sqlrank_told = 'sqlrank: ' ~ sqlrank_missing | length ~ ' partitions are missing, and a run makes ' ~ sqlrank_most ~ '; more with --vars "{sqlrank_most: ' ~ sqlrank_missing | length ~ '}"' %}
{% do exceptions.raise_compiler_error(sqlrank_told) if flags.FULL_REFRESH and sqlrank_table is not none else log(sqlrank_told ~ ', or run again', info=true) %}
{% endif %}
{% if flags.FULL_REFRESH and sqlrank_table is not none and not var('sqlrank_forget', false) %}
{% set sqlrank_forgotten %}
select '=' || min(cast(`Day` as string)) as forgotten
from {{ sqlrank_table }}
where `Day` not in (
    select `Day`
    from {{ ref('runs') }}
    where `Day` is not null
)
{% endset %}
{% set sqlrank_forgotten = run_query(sqlrank_forgotten).columns[0].values() | first %}
{% if sqlrank_forgotten %}
{% do exceptions.raise_compiler_error('sqlrank: a full refresh would lose partitions that the run does not hold any more, such as ' ~ sqlrank_forgotten[1:] ~ '; if they are to go: --vars "{sqlrank_forget: true}"') %}
{% endif %}
{% endif %}
{% endif %}
{% for sqlrank_day in sqlrank_days %}
select sqlrank_rows.*, '{{ invocation_id }}' as sqlrank_built, 'ndcg@10; trec_eval\'s conventions; by country' as sqlrank_definition
from (
with
-- the partition of the run that is made
next_partition as (
    select min(every_row.`Day`) as first_one
    from {{ ref('runs') }} as every_row
    where cast(every_row.`Day` as string) = '{{ dbt.escape_single_quotes(sqlrank_day[1:]) }}'
    having min(every_row.`Day`) is not null
),
{% if sqlrank_held and sqlrank_asked is none %}
-- the systems that the table holds of it
held_systems as (
    select system
    from {{ sqlrank_table }}
    inner join next_partition
        on `Day` = next_partition.first_one
    where system is not null
    group by system
),
{% else %}
-- no system of it is left out
held_systems as (
    select cast(null as string) as system
    from next_partition
    where 1 = 0
),
{% endif %}
-- its rows
partition_rows as (
    select every_row.*
    from {{ ref('runs') }} as every_row
    where every_row.`Day` = (select next_partition.first_one from next_partition)
),
-- the rankings: one row for each document returned
run_rows as (
    select
        cast(variant as string) as system,
        cast(query_id as string) as query_id,
        cast(doc_id as string) as doc_id,
        cast(country as string) as country,
        cast(relevance as float64) as relevance,
        cast(score as float64) as score
    from partition_rows
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        query_id,
        doc_id,
        max(country) as country,
        max(relevance) as relevance
    from run_rows
    where relevance is not null
    group by query_id, doc_id
),
-- the rankings with their judgments, null where a document was not judged
candidates as (
    select
        returned.system as system, returned.query_id as query_id,
        returned.doc_id as doc_id,
        judged.relevance as relevance,
        returned.score as score
    from run_rows as returned
    left join judged
        on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
),
-- the rank of each document
ranked as (
    select
        system, query_id,
        relevance,
        row_number() over (partition by system, query_id order by score desc, doc_id desc) as rank
    from candidates
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id, max(country) as country
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select
        max(country) as country,
        system, query_id,
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
        coalesce(
            system_rows.system,
            cast(cast(
                case
                    when system_rows.system is null
                        then 'a row has no system: name it, or leave the row out (--where)'
                    else '0'
                end as integer
            ) as string)
        ) as system,
        judged.query_id as query_id,
        coalesce(max(found.country) over (partition by judged.query_id), judged.country, case when found.query_id is null then '(no results)' else '(none)' end) as country
    from judged_queries as judged
    cross join system_rows
    left join found_queries as found
        on judged.query_id = found.query_id and system_rows.system = found.system
),
-- the documents found that were judged relevant, with what stands above each of them
scored as (
    select
        ranked.system as system, ranked.query_id as query_id,
        ranked.relevance as relevance,
        ranked.rank as rank
    from ranked
    where ranked.relevance > 0 and ranked.rank <= 10
),
-- the discounted gain of the judgments in the best order
ideal as (
    select query_id, sum(relevance * ln(2.0) / ln(ideal_rank + 1)) as best_dcg_at_10
    from (
        select query_id, relevance, row_number() over (partition by query_id order by relevance desc) as ideal_rank
        from judged
        where relevance > 0
    ) as places
    where ideal_rank <= 10
    group by query_id
)
select
    max(next_partition.first_one) as `Day`,
    query_rows.system as system,
    query_rows.query_id as query_id,
    max(country) as country,
    coalesce(
        sum(case when rank <= 10 and relevance > 0 then relevance * ln(2.0) / ln(rank + 1) else 0 end)
        / nullif(max(best_dcg_at_10), 0), 0
    ) as ndcg_at_10
from query_rows
left join scored on query_rows.query_id = scored.query_id and query_rows.system = scored.system
left join ideal on query_rows.query_id = ideal.query_id
cross join next_partition
where query_rows.system not in (select system from held_systems)
group by query_rows.system, query_rows.query_id
) as sqlrank_rows
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

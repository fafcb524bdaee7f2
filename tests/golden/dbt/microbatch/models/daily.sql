-- sqlrank 0.3.0: sqlrank dbt . runs --qrels judgments -m rr --dialect postgres --incremental Day --begin 2026-11-01 --column system=variant --name daily --query-set judged
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- the judgments count in every partition, also those of queries that it has no results for
{{ config(
    materialized='incremental',
    incremental_strategy='microbatch',
    event_time='"Day"',
    batch_size='day',
    begin='2026-11-01',
    concurrent_batches=false,
    unique_key=['"Day"', 'system'],
    on_schema_change='fail'
) }}
{% set sqlrank_days = ['='] %}
{% if execute and not model.batch and flags.WHICH in ('run', 'build', 'retry') %}
{% set sqlrank_fault = 'sqlrank: dbt runs this model without batches; where the project has a macro get_incremental_microbatch_sql, set the flag require_batched_execution_for_custom_microbatch_strategy' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% elif execute and model.batch and not flags.EMPTY %}
{% if var('sqlrank_partition', none) is not none %}
{% set sqlrank_fault = 'sqlrank: dbt says which days this model makes: --event-time-start and --event-time-end in place of sqlrank_partition' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% set sqlrank_batch = (model.batch.event_time_start | string)[:10] %}
{% set sqlrank_last = sqlrank_batch %}
{% set sqlrank_type %}
select every_row."Day"
from {{ ref('runs').render() }} as every_row
where 1 = 0
{% endset %}
{% set sqlrank_type = adapter.get_column_schema_from_query(sqlrank_type)[0] %}
{% if sqlrank_type.data_type | lower != 'date' %}
{% set sqlrank_fault = 'sqlrank: ' ~ sqlrank_type.name ~ ' is ' ~ sqlrank_type.data_type ~ ', and the days of batches are of a column of the type date; cast it in the model of the rankings, or write this model without --begin' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% set sqlrank_missing %}
select '=' || cast(every_row."Day" as text) as missing
    from {{ ref('runs').render() }} as every_row
    where
        every_row."Day" is not null
        and every_row."Day" between cast('{{ sqlrank_batch }}' as date) and cast('{{ sqlrank_last }}' as date)
        and every_row.score is not null

group by every_row."Day"
order by every_row."Day" asc
{% endset %}
{% set sqlrank_days = run_query(sqlrank_missing).columns[0].values() | list or ['='] %}
{% set sqlrank_table = adapter.get_relation(this.database, this.schema, this.identifier) %}
{% if sqlrank_table is not none %}
{% if should_full_refresh() %}
{% set sqlrank_gone = ['0001-01-01', '9999-12-31'] %}
{% set sqlrank_last = (((flags.EVENT_TIME_END or run_started_at) - modules.datetime.timedelta(microseconds=1)) | string)[:10] %}
{% else %}
{% set sqlrank_gone = [sqlrank_batch, sqlrank_batch] %}
{% set sqlrank_other %}
select '=' || min(coalesce(sqlrank_definition, 'none')) as other
from {{ sqlrank_table }}
where sqlrank_definition is null or sqlrank_definition <> 'rr; trec_eval''s conventions'
{% endset %}
{% set sqlrank_other = run_query(sqlrank_other).columns[0].values() | first %}
{% if sqlrank_other %}
{% set sqlrank_fault = 'sqlrank: the table was made with another definition: ' ~ sqlrank_other[1:] ~ '; dbt build --full-refresh makes every day anew' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% endif %}
{% set sqlrank_forgotten %}
select '=' || min(cast("Day" as text)) as forgotten
from {{ sqlrank_table }}
where
    "Day" between cast('{{ sqlrank_gone[0] }}' as date) and cast('{{ sqlrank_gone[1] }}' as date)
    and coalesce(sqlrank_built, '') <> '{{ invocation_id }}'
    and "Day" not in (
        select every_row."Day"
    from {{ ref('runs').render() }} as every_row
    where
        every_row."Day" is not null
        and every_row."Day" between cast('{{ sqlrank_batch }}' as date) and cast('{{ sqlrank_last }}' as date)
        and every_row.score is not null

    )
{% endset %}
{% set sqlrank_forgotten = none if var('sqlrank_forget', false) else run_query(sqlrank_forgotten).columns[0].values() | first %}
{% if sqlrank_forgotten %}
{% set sqlrank_fault = 'sqlrank: the table holds ' ~ sqlrank_forgotten[1:] ~ ', whose rows would go, and no rows of the run take their place; if they are to go: --vars "{sqlrank_forget: true}"' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% if not should_full_refresh() %}
{% set sqlrank_deletion %}
delete from {{ sqlrank_table }} where "Day" = cast('{{ sqlrank_batch }}' as date)
{% endset %}
{% do run_query(sqlrank_deletion) %}
{% endif %}
{% endif %}
{% endif %}
{% for sqlrank_day in sqlrank_days %}
select sqlrank_rows.*, '{{ invocation_id }}' as sqlrank_built, 'rr; trec_eval''s conventions' as sqlrank_definition
from (
with
-- the partition of the run that is made
next_partition as (
    select min(every_row."Day") as first_one
    from {{ ref('runs').render() }} as every_row
    where cast(every_row."Day" as text) collate "C" = '{{ dbt.escape_single_quotes(sqlrank_day[1:]) }}'
    having min(every_row."Day") is not null
),
-- its rows
partition_rows as (
    select every_row.*
    from {{ ref('runs').render() }} as every_row
    where every_row."Day" = (select next_partition.first_one from next_partition)
),
-- the rank of each document
ranked as (
    select
        cast(variant as text) collate "C" as system,
        cast(query_id as text) collate "C" as query_id,
        cast(doc_id as text) collate "C" as doc_id,
        row_number() over (
            partition by cast(variant as text) collate "C", cast(query_id as text) collate "C"
            order by cast(score as double precision) desc, cast(doc_id as text) collate "C" desc
        ) as rank
    from partition_rows
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as not materialized (
    select
        cast(query_id as text) collate "C" as query_id,
        cast(doc_id as text) collate "C" as doc_id,
        cast(relevance as double precision) as relevance
    from {{ ref('judgments').render() }}
    where relevance is not null
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id
    from judged
    group by query_id
),
-- the systems
system_rows as (
    select distinct cast(variant as text) collate "C" as system
    from partition_rows
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
            ) as text)
        ) as system,
        judged.query_id as query_id
    from judged_queries as judged
    cross join system_rows
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
)
select
    max(next_partition.first_one) as "Day",
    query_rows.system as system,
    query_rows.query_id as query_id,
    max(case when relevance >= 1 then cast(1 as double precision) / rank else 0 end) as rr
from query_rows
left join scored on query_rows.query_id = scored.query_id and query_rows.system = scored.system
cross join next_partition
group by query_rows.system, query_rows.query_id
) as sqlrank_rows
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

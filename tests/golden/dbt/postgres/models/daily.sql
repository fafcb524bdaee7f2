-- sqlrank 0.3.0: sqlrank dbt . warehouse.runs --qrels 'ref("labels", "judgments")' -m rr --dialect postgres --system production --incremental ds --column query_id=ds,qid --fail-under rr=0.4 --name daily
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- only rows of the judgments that belong to the partition count
{{ config(
    materialized='incremental',
    incremental_strategy='delete+insert',
    unique_key=['ds'],
    on_schema_change='fail'
) }}
{% set sqlrank_asked = ('=' ~ var('sqlrank_partition')) if var('sqlrank_partition', none) is not none else none %}
{% set sqlrank_days = ['='] %}
{% set sqlrank_held = false %}
{% if execute %}
{% set sqlrank_table = adapter.get_relation(this.database, this.schema, this.identifier) %}
{% set sqlrank_held = sqlrank_table is not none and not flags.FULL_REFRESH %}
{% set sqlrank_missing %}
select '=' || cast(every_row.ds as text) as missing
{% if sqlrank_held and sqlrank_asked is none %}
    from {{ source('warehouse', 'runs') }} as every_row
    inner join (
        select distinct
            cast(ds as text) collate "C" as known_part_1
        from {{ ref('labels', 'judgments') }}
        where relevance is not null
    ) as known
        on
            cast(every_row.ds as text) collate "C" = known_part_1
    left join (
        select distinct
            ds as held_partition
        from {{ sqlrank_table }}
        where system = 'production'
    ) as held
        on every_row.ds = held_partition
    where
        held_partition is null and every_row.ds is not null
        and every_row.score is not null

{% else %}
    from {{ source('warehouse', 'runs') }} as every_row
    inner join (
        select distinct
            cast(ds as text) collate "C" as known_part_1
        from {{ ref('labels', 'judgments') }}
        where relevance is not null
    ) as known
        on
            cast(every_row.ds as text) collate "C" = known_part_1
    where
        every_row.ds is not null
        and every_row.score is not null

{% endif %}
group by every_row.ds
order by every_row.ds asc
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
where sqlrank_definition is null or sqlrank_definition <> 'rr; trec_eval''s conventions'
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
select '=' || min(cast(ds as text)) as forgotten
from {{ sqlrank_table }}
where ds not in (
    select ds
    from {{ source('warehouse', 'runs') }}
    where ds is not null
)
{% endset %}
{% set sqlrank_forgotten = run_query(sqlrank_forgotten).columns[0].values() | first %}
{% if sqlrank_forgotten %}
{% do exceptions.raise_compiler_error('sqlrank: a full refresh would lose partitions that the run does not hold any more, such as ' ~ sqlrank_forgotten[1:] ~ '; if they are to go: --vars "{sqlrank_forget: true}"') %}
{% endif %}
{% endif %}
{% endif %}
{% for sqlrank_day in sqlrank_days %}
select sqlrank_rows.*, '{{ invocation_id }}' as sqlrank_built, 'rr; trec_eval''s conventions' as sqlrank_definition
from (
with
-- the partition of the run that is made
next_partition as (
    select min(every_row.ds) as first_one
    from {{ source('warehouse', 'runs') }} as every_row
    where cast(every_row.ds as text) collate "C" = '{{ dbt.escape_single_quotes(sqlrank_day[1:]) }}'
    having min(every_row.ds) is not null
),
-- its rows
partition_rows as (
    select every_row.*
    from {{ source('warehouse', 'runs') }} as every_row
    where every_row.ds = (select next_partition.first_one from next_partition)
),
-- the judgments of the partition
partition_qrels as (
    select every_row.*
    from {{ ref('labels', 'judgments') }} as every_row
    where cast(every_row.ds as text) collate "C" = (
        select cast(next_partition.first_one as text) collate "C"
        from next_partition
    )
),
-- the rankings, with an id of several columns
given_run as (
    select
        *,
        replace(replace(cast(ds as text), '%', '%25'), ',', '%2C')
        || ',' || replace(replace(cast(qid as text), '%', '%25'), ',', '%2C') as sqlrank_query_id
    from partition_rows
),
-- the judgments, with an id of several columns
given_qrels as (
    select
        *,
        replace(replace(cast(ds as text), '%', '%25'), ',', '%2C')
        || ',' || replace(replace(cast(qid as text), '%', '%25'), ',', '%2C') as sqlrank_query_id
    from partition_qrels
),
-- the rank of each document
ranked as (
    select
        cast(sqlrank_query_id as text) collate "C" as query_id,
        cast(doc_id as text) collate "C" as doc_id,
        row_number() over (
            partition by cast(sqlrank_query_id as text) collate "C"
            order by cast(score as double precision) desc, cast(doc_id as text) collate "C" desc
        ) as rank
    from given_run
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(sqlrank_query_id as text) collate "C" as query_id,
        cast(doc_id as text) collate "C" as doc_id,
        cast(relevance as double precision) as relevance
    from given_qrels
    where relevance is not null
)
select
    max(next_partition.first_one) as ds,
    'production' as system,
    judged.query_id as query_id,
    replace(replace(split_part(judged.query_id, ',', 2), '%2C', ','), '%25', '%') as qid,
    max(case when rank is not null and relevance >= 1 then cast(1 as double precision) / rank else 0 end) as rr
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id
cross join next_partition
group by judged.query_id
) as sqlrank_rows
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

-- sqlrank 0.3.0: sqlrank dbt . warehouse.runs --qrels 'ref("labels", "judgments")' -m rr --dialect postgres --system production --incremental ds --column query_id=ds,qid --fail-under rr=0.4 --name daily
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, collapse=none,
-- judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- of the judgments those of the partition count
{{ config(
    materialized='incremental',
    incremental_strategy='delete+insert',
    unique_key=['ds'],
    on_schema_change='fail'
) }}
with
{% if var("sqlrank_partition", none) is not none %}
-- the partition of the run that is made again
next_partition as (
    select min(every_row.ds) as first_one
    from {{ source('warehouse', 'runs') }} as every_row
    where cast(every_row.ds as text) collate "C" = '{{ var("sqlrank_partition") }}'
    having min(every_row.ds) is not null
),
{% elif is_incremental() %}
-- the first partition of the run that has judgments and the table does not hold yet
next_partition as (
    select min(every_row.ds) as first_one
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
        from {{ this }}
        where system = 'production'
    ) as held
        on every_row.ds = held_partition
    where
        held_partition is null
        and every_row.score is not null
    having min(every_row.ds) is not null
),
{% else %}
-- the first partition of the run that has judgments
next_partition as (
    select min(every_row.ds) as first_one
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
    having min(every_row.ds) is not null
),
{% endif %}
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

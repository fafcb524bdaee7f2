-- name: run
copy (
    select
        query_id,
        doc_id,
        -min(position) as score
    from (
        select
            query_id,
            doc_id,
            position
        from '$path'
        qualify row_number() over (partition by query_id, position order by hash(doc_id, 1)) = 1
    )
    group by query_id, doc_id
) to '$run' (format parquet);

-- name: cells_by_hand
create or replace temp table cells as
select query_id, doc_id, position, count(*) as impressions, sum(clicked) as clicks
from '$path'
group by all;

-- name: value_by_hand
with
ranked as (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score desc, cast(doc_id as varchar) desc) as position
    from '$run'
),

reached as (
    select query_id, position, sum(impressions) as traffic
    from cells
    group by all
)

select sum(reached.traffic * cells.clicks / cells.impressions) / (select sum(impressions) from cells where position = 1) as value
from ranked
inner join cells on ranked.query_id = cells.query_id and ranked.doc_id = cells.doc_id and ranked.position = cells.position
inner join reached on cells.query_id = reached.query_id and cells.position = reached.position
where cells.impressions >= 5

-- name: log
copy (
    select
        impression as impression_id,
        hash(impression, 1) % 1000 * (hash(impression, 2) % 1000) // 10 as query_id,
        hash(impression, 1) % 1000 * 100 + place as doc_id,
        place as position,
        case when hash(impression, place, 9) % 100 < (10 + hash(user_id, 7) % 20) // place then 1 else 0 end as clicked,
        user_id,
        case when hash(user_id, 8) % 2 = 0 then 'A' else 'B' end as arm,
        timestamp '2026-10-01' + to_seconds(cast(impression % 1209600 as bigint)) as time
    from (
        select
            impression,
            cast(hash(impression, 5) % ($impressions // 8) as bigint) as user_id
        from range($impressions) as impressions (impression)
    )
    cross join range(1, 11) as places (place)
) to '$path' (format parquet);

-- name: by_hand
with
impressions as (
    select
        impression_id,
        min(user_id) as user_id,
        min(arm) as arm,
        sum(clicked) / count(*) as ctr,
        max(clicked) as success,
        coalesce(1 / min(case when clicked = 1 then position end), 0) as rr_click
    from '$path'
    group by impression_id
),

users as (
    select
        user_id,
        min(arm) as arm,
        avg(ctr) as ctr,
        avg(success) as success,
        avg(rr_click) as rr_click
    from impressions
    group by user_id
)

select arm, count(*), avg(ctr), avg(success), avg(rr_click)
from users
group by arm
order by arm;

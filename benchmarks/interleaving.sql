-- name: log
copy (
    select
        impression as impression_id,
        hash(impression, 1) % 1000 * (hash(impression, 2) % 1000) // 10 as query_id,
        hash(impression, 1) % 1000 * 100 + place as doc_id,
        place as position,
        case when hash(impression, place, 9) % 100 < 20 // place then 1 else 0 end as clicked,
        -- a coin for each round of two picks
        case when (hash(impression, (place + 1) // 2) % 2 = 0) = (place % 2 = 0) then 'A' else 'B' end as team,
        cast(hash(impression, 5) % ($impressions // 8) as bigint) as user_id
    from range($impressions) as impressions (impression)
    cross join range(1, 11) as places (place)
) to '$path' (format parquet);

-- name: by_hand
select
    count(*) filter (where difference > 0) as wins_a,
    count(*) filter (where difference < 0) as wins_b,
    count(*) filter (where difference = 0 and clicks > 0) as ties
from (
    select
        user_id,
        sum(difference) as difference,
        sum(clicks) as clicks
    from (
        select
            impression_id,
            min(user_id) as user_id,
            sum(case when team = 'A' then clicked else -clicked end) as difference,
            sum(clicked) as clicks
        from '$path'
        group by impression_id
    ) as impressions
    group by user_id
) as users;

-- name: log
copy (
    select
        impression as impression_id,
        hash(impression, 1) % 1000 * (hash(impression, 2) % 1000) // 10 as query_id,
        hash(hash(impression, 1) % 1000 * (hash(impression, 2) % 1000) // 10, (place * 7 + hash(impression, 3) % 3) % 13) % 2000000 as doc_id,
        place as position,
        case when hash(impression, place, 9) % 100 < 20 // place then 1 else 0 end as clicked,
        hash(impression, 5) % 3000000 as user_id
    from range($impressions) as impressions (impression)
    cross join range(1, 11) as places (place)
) to '$path' (format parquet);

-- name: cells_by_hand
create or replace temp table cells as
select query_id, doc_id, position, count(*) as impressions, sum(clicked) as clicks
from '$path'
group by all;

-- name: counted
create or replace temp table counted as
select
    cell // 4 as pair,
    1 + (cell % 4 + hash(cell // 4) % 7) as position,
    20e0 + hash(cell, 1) % 100 as impressions,
    cast(hash(cell, 2) % 20 as double) as clicks
from range($cells) as cells (cell);

-- name: attraction_by_hand
create or replace temp table attraction_next as
select
    counted.pair,
    (1 + sum(clicks + (impressions - clicks) * (1 - propensity) * attraction / (1 - propensity * attraction))) / (2 + sum(impressions)) as attraction
from counted
inner join attraction_now as attraction on counted.pair = attraction.pair
inner join examination_now as examination on counted.position = examination.position
group by counted.pair;

-- name: examination_by_hand
create or replace temp table examination_next as
select
    counted.position,
    (1 + sum(clicks + (impressions - clicks) * (1 - attraction) * propensity / (1 - propensity * attraction))) / (2 + sum(impressions)) as propensity
from counted
inner join attraction_now as attraction on counted.pair = attraction.pair
inner join examination_now as examination on counted.position = examination.position
group by counted.position;

-- name: apart
select max(abs(learned.attraction - by_hand.attraction))
from $learned as learned
inner join attraction_next as by_hand on learned.pair = by_hand.pair;

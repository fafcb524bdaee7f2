{# What each document is expected to earn from its position on, of each half of the units by the other one: the mean there, with
   one impression of the mean of the position. #}
with
halves as (
    select
        query_id,
        doc_id,
        position,
        half,
        cast(count(*) as double) as impressions,
        cast(sum(earned_on) as double) as earned
    from {{ chosen }}
    group by query_id, doc_id, position, half
),

levels as (
    select
        position,
        half,
        sum(earned) / sum(impressions) as level
    from halves
    group by position, half
)

select
    cast(pairs.query_id as varchar) as query_id,
    cast(pairs.doc_id as varchar) as doc_id,
    levels.position,
    1 - levels.half as half,
    (coalesce(halves.earned, 0) + levels.level) / (coalesce(halves.impressions, 0) + 1) as expected
from (
    select distinct
        query_id,
        doc_id,
        position
    from halves
) as pairs
inner join levels on pairs.position = levels.position
left join halves
    on pairs.query_id = halves.query_id and pairs.doc_id = halves.doc_id
        and pairs.position = halves.position and levels.half = halves.half
union all
select
    null as query_id,
    null as doc_id,
    position,
    1 - half as half,
    level as expected
from levels

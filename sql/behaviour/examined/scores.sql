{# How far the clicks of each group of what is independent pull each propensity, once they pulled at the documents. #}
with
of_cells as (
    select
        counted.pair,
        counted.position,
        attraction * first_one as attraction,
        propensity / first_one as propensity,
        counted.impressions / (1 - attraction * propensity) as mixed,
        counted.impressions * propensity / first_one / ((attraction * first_one) * (1 - attraction * propensity)) as of_attraction
    from {{ counted }} as counted
    inner join {{ attraction }} as attractions on counted.pair = attractions.pair
    inner join {{ examination }} as examinations on counted.position = examinations.position
    cross join (select first(propensity order by position asc) as first_one from {{ examination }}) as scale
    where attraction > 0
),

shares as (
    select
        pair,
        position,
        mixed / sum(of_attraction) over (partition by pair) as share
    from of_cells
),

pulls as (
    select
        grouped.unit_group,
        grouped.pair,
        grouped.position,
        grouped.clicks / propensity - (grouped.impressions - grouped.clicks) * attraction / (1 - attraction * propensity) as at_position,
        grouped.clicks / attraction - (grouped.impressions - grouped.clicks) * propensity / (1 - attraction * propensity) as at_document
    from {{ grouped }} as grouped
    inner join of_cells on grouped.pair = of_cells.pair and grouped.position = of_cells.position
),

at_documents as (
    select
        unit_group,
        pair,
        sum(at_document) as at_document
    from pulls
    group by unit_group, pair
),

parts as (
    select
        unit_group,
        position,
        sum(at_position) as pull
    from pulls
    group by unit_group, position
    union all
    select
        at_documents.unit_group,
        shares.position,
        -sum(shares.share * at_documents.at_document) as pull
    from at_documents
    inner join shares on at_documents.pair = shares.pair
    group by at_documents.unit_group, shares.position
)

select
    unit_group,
    position,
    sum(pull) as pull
from parts
group by unit_group, position
order by unit_group asc, position asc

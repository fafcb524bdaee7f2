-- which share of all weights the impressions of the largest weights have, by fiftieths of the impressions
select
    fiftieth / {{ 50.0 | literal }} as impressions,
    sum(sum(weight)) over (order by fiftieth asc) / nullif(sum(sum(weight)) over (), 0) as share
from (
    select
        weight,
        ntile(50) over (order by weight desc) as fiftieth
    from (
        select
            impression_id,
            sum({{ column | ident }}) as weight
        from {{ scored }}
        group by impression_id
    ) as of_impressions
) as sorted
group by fiftieth
order by impressions asc

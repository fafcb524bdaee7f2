-- of each contrast, query and metric: how far the mean over the draws is from the value, and the variance of the draws
with

summed as (
    select
        contrast,
        query,
        metric,
        sum(draws) as draws,
        fsum(total) as total,
        fsum(squares) as squares
    from {{ moments }}
    group by contrast, query, metric
),

spreads as (
    select
        contrast,
        query,
        metric,
        total / draws as shift,
        greatest(squares - total * total / draws, 0) / nullif(draws - 1, 0) as variance
    from summed
    where draws > 0
{% if linear %}

    union all

    select
        contrast,
        query,
        metric,
        0 as shift,
        variance
    from {{ linear }}
{% endif %}
)

select
    spreads.contrast,
    queries.query_id,
    spreads.metric,
    spreads.shift,
    spreads.variance
from spreads
inner join {{ queries }} as queries
    on spreads.query = queries.number

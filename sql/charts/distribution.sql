-- the share of the queries of each system in every bin of the values of one metric; the last bin has its upper end
with

measured as (
    select
        system,
        {{ column | ident }} as value
    from {{ per_query }}
    where {{ column | ident }} is not null
),

bins as (
    select
        cast(unnest({{ starts | literal }}) as {{ double }}) as low,
        cast(unnest({{ ends | literal }}) as {{ double }}) as high
),

binned as (
    select
        measured.system,
        bins.low,
        bins.high
    from measured
    inner join bins
        on
            measured.value >= bins.low
            and (measured.value < bins.high or (measured.value = bins.high and bins.high = {{ ends[-1] | literal }}))
)

select
    system,
    low,
    high,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by system) as share
from binned
group by system, low, high
order by system, low

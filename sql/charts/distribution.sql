-- the share of the queries of each system in every bin of the values of one metric; the last bin has its upper end
with

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
    from {{ per_query }} as measured
    inner join bins
        on
            measured.{{ column | ident }} >= bins.low
            and (
                measured.{{ column | ident }} < bins.high
                or (measured.{{ column | ident }} = bins.high and bins.high = {{ ends[-1] | literal }})
            )
)

select
    system,
    low,
    high,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by system) as share
from binned
group by system, low, high
order by system asc, low asc

-- the share of the queries of each system in every bin of the values of one metric
with

measured as (
    select
        system,
        {{ column | ident }} as value
    from {{ per_query }}
    where {{ column | ident }} is not null
),

binned as (
    select
        system,
        case
            when value >= {{ high | literal }} then {{ bins - 1 }}
            else cast(floor((value - {{ low | literal }}) / {{ width | literal }}) as integer)
        end as bin
    from measured
)

select
    system,
    bin,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by system) as share
from binned
group by system, bin
order by system, bin

{#
title = "the systems look like parts of one run"
input = "run"
message = "{alone} of {queries} queries have results of one system only, so these files look like parts of one run; quote the pattern ('part-*.parquet') to read them as one, or name the systems with name=path"
#}
select
    case when alone > 0.9 * queries then 1 else 0 end as findings,
    alone,
    queries
from (
    select
        sum(case when systems = 1 then 1 else 0 end) as alone,
        count(*) as queries
    from (
        select count(distinct system) as systems
        from {{ run }}
        group by query_id
    )
)

{# How the clicks are spread over the queries, and which queries differ from others in case and blanks alone. #}
{% from "macros/logs.sql" import folded %}
with
of_queries as (
    select
        query_id,
        {{ folded("query_id") }} as folded,
        cast(sum(clicked) as double) as clicks
    from {{ log }}
    group by query_id
)

select
    count(*) as queries,
    max(clicks) as most_clicks,
    arg_max(cast(query_id as varchar), clicks) as most_example,
    sum(clicks) as clicks,
    sum(clicks) * sum(clicks) / nullif(sum(clicks * clicks), 0) as effective,
    count(*) - count(distinct folded) as mergeable,
    (
        select min(examples)
        from (
            select string_agg(cast(query_id as varchar), ', ' order by cast(query_id as varchar)) as examples
            from of_queries
            group by folded
            having count(*) > 1
        )
    ) as mergeable_example
from of_queries

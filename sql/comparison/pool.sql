-- the mean share of the first documents that was judged, over the queries with results
select
    system,
    {{ exact_sum }}({{ column | ident }}) / count(*) as share
from {{ per_query }}
where sqlrank_retrieved > 0
group by system
order by list_position({{ systems | literal }}, system)

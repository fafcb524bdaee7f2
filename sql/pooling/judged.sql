-- how many of the first documents of each system were judged
select
    system,
    count(distinct query_id) as queries,
    count(*) as documents,
    count(relevance) as judged
from {{ places }}
where rank <= {{ depth }}
group by system

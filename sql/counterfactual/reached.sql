{# Each position of each query: how many impressions reach it, what they earned there, what the position earns on average over
   all queries (`level`), and the largest rate that a document with enough impressions has there, or what a document can earn at
   most. #}
select
    query_id,
    cast(query_id as varchar) as query_text,
    position,
    sum(impressions) as traffic,
    sum(rewards) as rewards,
    sum(sum(rewards)) over (partition by position) / sum(sum(impressions)) over (partition by position) as level,
    count(*) as documents,
    row_number() over (partition by query_id order by position asc) as place,
    coalesce(max(case when impressions >= {{ fewest }} then rewards / impressions end), {{ top | literal }}) as most
from {{ cells }}
group by query_id, position

{# Which part of each place of the candidates is not beyond the log: what is shown there has enough impressions, or nothing is. #}
select
    system,
    query_id,
    position,
    1 - sum(case when supported then 0 else share end) as held
from {{ rated }}
group by system, query_id, position

{# The teams of a log of interleaved lists: how many rows each has, and which rankers made its picks. #}
select
    cast(team as varchar) as team,
    count(*) as picks,
    max(position) as deepest{% if systems %},
    list(distinct cast(system as varchar) order by cast(system as varchar)) as systems{% endif +%}
from {{ rows }}
group by team
order by team asc

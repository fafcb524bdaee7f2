{# How many units of each arm there are in each stratum: a first day, or a segment. #}
select
    cast({{ stratum | ident }} as varchar) as stratum,
    arm,
    count(*) as units
from {{ units }}
where arm = last_arm
    and {{ stratum | ident }} is not null
group by all
order by stratum asc, arm asc

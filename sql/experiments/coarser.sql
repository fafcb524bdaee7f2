{# How many of those that have several units were in several arms. #}
select
    count(*) as several,
    count(*) filter (where arm = last_arm) as alone
from (
    select
        coarse,
        count(*) as units,
        min(arm) as arm,
        max(last_arm) as last_arm
    from {{ units }}
    where coarse is not null
    group by coarse
)
where units > 1

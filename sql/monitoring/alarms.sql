-- the charts that are in alarm on their last day
select *
from (
    select
        *,
        row_number() over (partition by {% for name in keys %}{{ name | ident }}, {% endfor %}direction order by day desc) as place
    from {{ charts }}
) as ordered
where place = 1 and alarm

{# What was shown, with its place among the picks of its list, from 1: rows that no team picked, such as ads, take none. #}
select
    * exclude (position),
    row_number() over (partition by impression_id order by position asc) as position
from {{ rows }}
where team is not null

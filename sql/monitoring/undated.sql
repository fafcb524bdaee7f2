{% from "macros/days.sql" import has_day %}
-- how many queries have no day, and what stands there in others where it is none
select
    count(*) as queries,
    count(*) - count(case when {{ has_day(day) }} then 1 end) as without,
    count(case when {{ has_day(day) }} and try_cast({{ day | ident }} as timestamp) is null then 1 end) as undated,
    min(case when {{ has_day(day) }} and try_cast({{ day | ident }} as timestamp) is null then cast({{ day | ident }} as varchar) end) as example
from {{ per_query }}

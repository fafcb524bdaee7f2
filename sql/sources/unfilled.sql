-- how many pairs nobody has judged yet
select count(*) - count(case when {{ filled }} then 1 end) as unfilled
from {{ reader }}

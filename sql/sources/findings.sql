{# What a check finds: how many rows, and the first of them as an example. #}
select
    count(*) over () as findings,
    wrong_rows.*
from (
{{ statement }}
) as wrong_rows
order by all
limit 1

{# How many queries of the log the candidates answer, and an example of both that do not meet. #}
select
    count(*) as queries,
    count(*) filter (where answered.query_id is not null) as answered,
    min(of_log.query_id) filter (where answered.query_id is null) as log_example,
    (select min(query_id) from {{ entries }}) as run_example
from (
    select distinct cast(query_id as varchar) as query_id
    from {{ cells }}
) as of_log
left join (
    select distinct query_id
    from {{ entries }}
) as answered on of_log.query_id = answered.query_id

-- how many queries have results, and the sum of their weights
select
    count(*) as queries,
    {%+ if weighted %}coalesce({{ exact_sum }}(weight), 0){% else %}count(*){% endif %} as total
from (
    select{% if weighted +%}
        query_id,
        max(weight) as weight
{%- else %} query_id{% endif +%}
    from {{ places }}
    group by query_id
) as query_rows

-- the queries with the smallest values of a metric, of each system
select
    system,
    query_id,
    {{ column | ident }} as {{ text | ident }}
from (
    select
        system,
        query_id,
        {{ column | ident }},
        row_number() over (partition by system order by {{ column | ident }}, query_id) as place
    from {{ per_query }}
    where {{ column | ident }} is not null{% if only is not none %} and system = {{ only | literal }}{% endif +%}
)
where place <= {{ most }}
order by system, place

{# Whether a judgment says of any document that it is not relevant. #}
select count(*) > 0 as told
from (
    select 1 as one
    from {{ judged.relation }}
    where cast({{ judged.relevance | ident }} as double) < {{ rel | literal }}
    limit 1
)

{# A partition that the table holds and the run does not. #}
select '=' || min(cast({{ partition.column | ident }} as {{ text }})) as forgotten
from {{ table }}
where {{ partition.column | ident }} not in (
    select {{ partition.column | ident }}
    from {{ partition.relation }}
    where {{ partition.column | ident }} is not null
)

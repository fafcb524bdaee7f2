{# The systems of a relation, each with the number of its rows. #}
select
    cast({{ column | ident }} as {{ text }}) as system,
    count(*) as documents
from {{ relation }}
group by cast({{ column | ident }} as {{ text }})
order by cast({{ column | ident }} as {{ text }})

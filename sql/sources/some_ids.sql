{# Ids for a look at their form: of queries, or of the documents of some queries that both sides have. #}
{% if shared_with is none %}
select distinct
    '' as scope,
    cast({{ column | ident }} as {{ text }}) as id
from {{ relation }}
where {{ column | ident }} is not null
order by id asc
limit {{ most }}
{% else %}
select distinct
    cast(query_id as {{ text }}) as scope,
    cast({{ column | ident }} as {{ text }}) as id
from {{ relation }}
where
    cast(query_id as {{ text }}) in (
        select cast(one.query_id as {{ text }})
        from {{ relation }} as one
        inner join {{ shared_with }} as other
            on cast(one.query_id as {{ text }}) = cast(other.query_id as {{ text }})
        group by cast(one.query_id as {{ text }})
        order by cast(one.query_id as {{ text }})
        limit {{ queries }}
    )
order by scope asc, id asc
limit {{ most }}
{% endif %}

{# The per-query rows of an evaluation with the upper bounds of their values next to them. #}
(
    select
        by_query.*{% for column, bound in columns.items() %},
        bounds.{{ column | ident }} as {{ bound | ident }}{% endfor +%}
    from {{ per_query }} as by_query
    left join {{ upper }} as bounds on by_query.system = bounds.system and by_query.query_id = bounds.query_id
)

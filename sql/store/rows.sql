{# The per-query rows of an evaluation as a store holds them, with the share that was judged and the upper bounds, where these were evaluated. #}
select
    cast({{ day | literal }} as date) as as_of,
    evaluated.system,
    evaluated.query_id,
{% for column in id_columns %}
    evaluated.{{ column.name | ident }},
{% endfor %}
{% for segment in segments %}
    evaluated.{{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    evaluated.weight,
{% endif %}
{% for measure in measures %}
    evaluated.{{ measure.column | ident }},
{% endfor %}
{% if pool is not none %}
    judged.{{ pool.column | ident }},
{% endif %}
{% for column, bound in bounds.items() %}
    bounds.{{ column | ident }} as {{ bound | ident }},
{% endfor %}
    evaluated.sqlrank_retrieved
from {{ per_query }} as evaluated
{% if pool is not none %}
left join {{ pool.per_query }} as judged
    on
        evaluated.system = judged.system
        and evaluated.query_id = judged.query_id
{% endif %}
{% if bounds %}
left join {{ upper }} as bounds
    on
        evaluated.system = bounds.system
        and evaluated.query_id = bounds.query_id
{% endif %}
order by
    evaluated.system,
    evaluated.query_id

select
{% for column in columns %}
    cast({{ column | ident }} as varchar) as {{ column | ident }},
{% endfor %}
    place_in_input
from (
    select
        *,
        row_number() over () as place_in_input
    from {{ relation }}
)
where {{ condition }}
limit 1

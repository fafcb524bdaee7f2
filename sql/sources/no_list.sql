{# The first row of JSON that has another value in place of a list, and what it has there. #}
select
    place_in_input,
{% for name in names %}
    case when {{ (name ~ " json type") | ident }} not in ('ARRAY', 'NULL') then {{ name | ident }} end as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from (
    select
        *,
        row_number() over () as place_in_input
    from {{ reader }}
)
where {% for name in names %}{{ (name ~ " json type") | ident }} not in ('ARRAY', 'NULL'){% if not loop.last %} or {% endif %}{% endfor +%}
order by place_in_input asc
limit 1

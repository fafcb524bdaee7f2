describe select
{% if boolean %}
    cast((
        {{ condition }}
    ) as boolean) as kept
{% else %}
    (
        {{ condition }}
    ) as kept
{% endif %}
from (
    select
{% for name, kind in columns %}
        cast(null as {{ kind }}) as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
)

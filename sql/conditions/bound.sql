describe select
    cast((
        {{ condition }}
    ) as boolean) as kept
from (
    select
{% for name, kind in columns %}
        cast(null as {{ kind }}) as {{ name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
)

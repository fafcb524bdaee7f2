select
{% for name, column in columns %}
    {{ column | ident }}{% if name != column %} as {{ name | ident }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ relation }}
{% if segments %}
order by
    is_total,
{% for segment in segments %}
    {{ segment | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
{% endif %}

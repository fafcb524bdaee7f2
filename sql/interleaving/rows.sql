{# The rows of a result, with segments by their own names. #}
select
{% for alias, name in columns %}
    {{ alias | ident }}{% if alias != name %} as {{ name | ident }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ relation }}

select
{% for column in columns %}
    {%+ if column.as_text %}cast({{ column.name | ident }} as {{ text }}) as {% endif %}{{ column.name | ident }}{% if not loop.last %},{% endif +%}
{% else %}
    *
{% endfor %}
from {% if query %}(
{{ query }}
) as given_rows{% else %}{{ relation }}{% endif +%}

select count(*)
from {{ reader }}
where
{% for name in names %}
    {% if not loop.first %}or {% endif %}{{ name | ident }} is null
    or contains({{ name | ident }}, chr(9))
{% endfor %}
    or {{ names[0] | ident }} like '#%'

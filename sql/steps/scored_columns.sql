{% for column in columns if column.mean %}
        ranked.{{ column.name | ident }} as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.step == "ranked" %}
        ranked.{{ column.name | ident }} as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.step == "scored" %}
        {{ column.text }} as {{ column.name | ident }},
{% endfor %}

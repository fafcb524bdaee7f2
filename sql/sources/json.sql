(
    select
{% for name in names %}
{% set alias = aliases.get(name, name) %}
{% if aliases %}
{% set value %}record -> {{ ('$."' ~ name ~ '"') | literal }}{% endset %}
{% else %}
{% set value = name | ident %}
{% endif %}
        ({{ value }}) ->> '$' as {{ alias | ident }},
        json_type({{ value }}) as {{ (alias ~ " json type") | ident }}{% if keys or not loop.last %},{% endif +%}
{% endfor %}
{% for key in keys %}
        {{ key | ident }},
        'VARCHAR' as {{ (key ~ " json type") | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from read_json(
        {{ files | literal }},
        hive_partitioning = {{ hive | literal }},
{% if aliases %}
        records = false,
        columns = {'record': 'json'}
{% else %}
        columns = { {%- for name in names + actions %}{{ name | ident }}: 'json'{% if not loop.last %}, {% endif %}{% endfor -%} }
{% endif %}
    )
{% for name in actions %}
    {% if loop.first %}where{% else %}and{% endif %} {% if aliases %}record -> {{ ('$."' ~ name ~ '"') | literal }}{% else %}{{ name | ident }}{% endif %} is null
{% endfor %}
)

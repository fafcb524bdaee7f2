(
    select
{% for name in names %}
        {{ name | ident }} ->> '$' as {{ name | ident }},
        json_type({{ name | ident }}) as {{ (name ~ " json type") | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from read_json(
        {{ files | literal }},
        hive_partitioning = {{ hive | literal }},
{% if compression %}
        compression = {{ compression | literal }},
{% endif %}
        columns = { {%- for name in names %}{{ name | literal }}: 'json'{% if not loop.last %}, {% endif %}{% endfor -%} }
    )
)

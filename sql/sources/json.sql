read_json(
    {{ files | literal }},
    hive_partitioning = {{ hive | literal }},
{% if compression %}
    compression = {{ compression | literal }},
{% endif %}
    columns = { {%- for name in names %}{{ name | literal }}: 'json'{% if not loop.last %}, {% endif %}{% endfor -%} }
)

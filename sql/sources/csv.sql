read_csv(
    {{ files | literal }},
    auto_detect = false,
    header = {{ header | literal }},
    delim = {{ delimiter | literal }},
    quote = '"',
    escape = '"',
    hive_partitioning = {{ hive | literal }},
{% if compression %}
    compression = {{ compression | literal }},
{% endif %}
    columns = { {%- for name in names %}{{ name | literal }}: 'varchar'{% if not loop.last %}, {% endif %}{% endfor -%} }
)

read_csv(
    {{ files | literal }},
    auto_detect = false,
    header = false,
    delim = ' ',
    quote = '',
    escape = '',
{% if compression %}
    compression = {{ compression | literal }},
{% endif %}
    columns = { {%- for name in names %}{{ name | literal }}: 'varchar'{% if not loop.last %}, {% endif %}{% endfor -%} }
)

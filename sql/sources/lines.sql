read_csv(
    {{ files | literal }},
    auto_detect = false,
    header = false,
    delim = chr(1),
    quote = '',
    escape = '',
{% if compression %}
    compression = {{ compression | literal }},
{% endif %}
    columns = {'line': 'varchar'}
)

read_csv(
    {{ files | literal }},
    auto_detect = false,
    header = false,
    delim = chr(1),
    quote = '',
    escape = '',
    columns = {'line': 'varchar'}
)

select
    line_number,
    line
from (
    select
        row_number() over () as line_number,
        trim(line, E' \t\r') as line
    from {{ lines }}
)
where
    line <> ''
    and line not like '#%'
    and len(string_split_regex(line, '\s+')) {% if more %}<{% else %}<>{% endif %} {{ fields }}
order by line_number asc
limit 1

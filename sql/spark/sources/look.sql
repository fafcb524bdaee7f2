{# Places grow with the lines of each file, so the smallest is the first line of its file that is wrong. #}
select
    coalesce(sum((length(line) - length(replace(line, '"', ''))) % 2), 0) as open_quotes,
    min_by(struct(file, place, line), place) filter (
        where trim(line) <> ''
{% if kind == "csv" %}
        and from_csv(
            line,
            {{ schema | literal }},
            map('sep', {{ delimiter | literal }}, 'escape', '"', 'columnNameOfCorruptRecord', 'sqlrank_corrupt')
        ).sqlrank_corrupt is not null
{% elif kind == "trec" %}
        and line not like '#%'
        and size(split(trim(both ' \t\r' from line), '\\s+')) {% if more %}<{% else %}<>{% endif %} {{ fields }}
{% else %}
        and try_parse_json(line) is null
{% endif %}
    ) as wrong
from {{ lines }}

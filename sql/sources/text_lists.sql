{% from "macros/text_lists.sql" import parts_of %}
{# A reader with columns of texts as the lists that they are; of objects in JSON as lists of structs. #}
(
    select
        * replace (
{% for column in columns %}
            {%+ if column.structure %}from_json({{ column.name | ident }}, {{ column.structure | literal }}){% else %}{{ parts_of(column.name | ident, patterns) }}{% endif %} as {{ column.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
        )
    from {{ reader }}
)

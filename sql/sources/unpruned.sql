{% from "macros/values.sql" import opaque %}
{# Columns that a condition is about and that may hold NaN, which writers leave out of the statistics of a file. #}
(
    select * replace (
{% for name in columns %}
        {{ opaque(name | ident) }} as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    )
    from {{ reader }}
)

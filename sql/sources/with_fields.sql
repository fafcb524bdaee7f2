{% from "macros/fields.sql" import field_of, value_in_text, value_of %}
(
    select
        *,
{% for field in fields %}
{% if field.texts %}
        {{ value_in_text(field.column, field.pointer) }} as {{ field.name | ident }}{% if not loop.last %},{% endif +%}
{% elif json %}
        json_extract_string({{ value_of(field.column, json) }}, {{ field.pointer | literal }}) as {{ field.name | ident }},
        json_type({{ field_of(value_of(field.column, json), field.keys, json, field.pointer) }}) as {{ (field.name ~ " json type") | ident }}{% if not loop.last %},{% endif +%}
{% else %}
        {{ field_of(value_of(field.column, json), field.keys, json, field.pointer) }} as {{ field.name | ident }}{% if not loop.last %},{% endif +%}
{% endif %}
{% endfor %}
    from {{ reader }}
)

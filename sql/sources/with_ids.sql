{% from "macros/ids.sql" import id_of_columns %}
(
    select
        *,
{% for id in ids %}
        {{ id_of_columns(id.columns, id.complaint) }} as {{ id.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ reader }}
)

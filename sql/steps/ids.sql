{% from "macros/ids.sql" import id_of_columns %}
{% for each in with_ids %}
-- {{ each.title }} with an id of several columns
{{ each.name | ident }} as (
    select
        *,
{% for id in each.ids %}
        {{ id_of_columns(id.columns) }} as {{ id.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ each.relation }}
),
{% endfor %}

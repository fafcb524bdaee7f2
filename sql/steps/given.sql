{% from "macros/ids.sql" import given_columns %}
{% for each in prepared %}
-- {{ each.title }}
{{ each.name | ident }} as (
    select
        *,
{{ given_columns(each.ids, each.relevance, each.relation) }}
),
{% endfor %}

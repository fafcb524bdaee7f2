{% from "macros/ids.sql" import given_columns %}
{% from "macros/lists.sql" import from_lists, list_columns, listed_columns %}
{% for each in prepared %}
-- {{ each.title }}
{{ each.name | ident }} as (
    select
        {%+ if each.lists %}{{ listed_columns() }}{{ list_columns(each.lists) }}{% else %}*{% endif %}
{{ given_columns(each.ids, each.relevance, each.computed) }}
{% if each.lists %}
{{ from_lists(each.relation, each.lists) }}
{% else %}
    from {{ each.relation }}
{% endif %}
{% if each.where %}
    where (
        {{ each.where }}
    )
{% endif %}
),
{% endfor %}

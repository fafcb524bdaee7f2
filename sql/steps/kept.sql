{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import with_scores with context %}
{% for each in kept %}
-- columns that are carried along to the rows of the queries
{{ each.rows | ident }} as (
    select
{% for key in each.of_keys %}
        {{ id_of(each.relation[key]) }} as {{ key | ident }},
{% endfor %}
{% for column in each.columns %}
        max({{ column | ident }}) as {{ ("kept_" ~ column) | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ each.relation.relation }}
{% if each.found %}
    {{ with_scores() }}
{% endif %}
    group by {% for key in each.of_keys %}{{ id_of(each.relation[key]) }}{% if not loop.last %}, {% endif %}{% endfor +%}
),
{% endfor %}

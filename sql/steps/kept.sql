{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import with_scores %}
{% for each in kept %}
-- columns that are carried along to the rows of the queries
{{ each.rows | ident }} as (
    select
{% if each.found and several %}
        {{ id_of(run.system) }} as system,
{% endif %}
        {{ id_of(each.relation.query_id) }} as query_id,
{% for column in each.columns %}
        max({{ column | ident }}) as {{ ("kept_" ~ column) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ each.relation.relation }}
{% if each.found %}
    {{ with_scores(run) }}
{% endif %}
    group by {% if each.found and several %}{{ id_of(run.system) }}, {% endif %}{{ id_of(each.relation.query_id) }}
),
{% endfor %}

{# The queries that a system has results for; `parts` are as in shared_queries.sql. #}
(
{% for part in parts %}
    select cast(query_id as {{ text }}) as query_id
    from {{ part.relation }}
    where {% if part.system is none %}system = {{ system | literal }}{% else %}{{ part.system | literal }} = {{ system | literal }}{% endif %}{% if part.retrieved %} and {{ part.retrieved | ident }} > 0{% endif +%}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
)

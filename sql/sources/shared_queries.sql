{# The queries that two systems both have results for, a row for each two, and one for each system with itself. A part
   without a column of documents holds only queries with results. #}
with

found_queries as (
{% for part in parts %}
    select
        {%+ if part.system is none %}system{% else %}{{ part.system | literal }}{% endif %} as system,
        query_id
    from {{ part.relation }}
{% if part.retrieved %}
    where {{ part.retrieved | ident }} > 0
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
)

select
    one_system.system as one_system,
    other_system.system as other_system,
    count(*) as shared
from found_queries as one_system
inner join found_queries as other_system
    on one_system.query_id = other_system.query_id
where one_system.system <= other_system.system
group by one_system.system, other_system.system

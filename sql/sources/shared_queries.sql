{# The queries that systems have results for: how many each has, and all together; or the two that share the smallest part
   of those that either has. A part without a column of documents holds only queries with results. #}
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
),

sizes as (
    select
        system,
        count(*) as queries
    from found_queries
    group by system
){% if pairs %},{% endif +%}

{% if not pairs %}
select
    system,
    queries,
    (select count(distinct query_id) from found_queries) as every
from sizes
{% else %}
pairs as (
    select
        one_system.system as one_system,
        other_system.system as other_system,
        count(*) as shared
    from found_queries as one_system
    inner join found_queries as other_system
        on one_system.query_id = other_system.query_id and one_system.system < other_system.system
{% if baseline is not none %}
    where one_system.system = {{ baseline | literal }} or other_system.system = {{ baseline | literal }}
{% endif %}
    group by one_system.system, other_system.system
),

of_either as (
    select
        one_size.system as one_system,
        other_size.system as other_system,
        coalesce(pairs.shared, 0) as shared,
        one_size.queries + other_size.queries - coalesce(pairs.shared, 0) as queries
    from sizes as one_size
    inner join sizes as other_size
        on one_size.system < other_size.system
    left join pairs
        on one_size.system = pairs.one_system and other_size.system = pairs.other_system
{% if baseline is not none %}
    where one_size.system = {{ baseline | literal }} or other_size.system = {{ baseline | literal }}
{% endif %}
)

select
    one_system,
    other_system,
    shared,
    queries
from of_either
order by cast(shared as double) / queries, one_system, other_system
limit 1
{% endif %}

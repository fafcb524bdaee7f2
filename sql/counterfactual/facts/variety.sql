{# How much of the traffic is of queries to which several rankings were shown{% if system %}, and to which one ranker showed several{% endif %}. #}
with
{% if system %}
of_rankers as (
    select
        query_id,
        system,
        position,
        min(doc_id) as first_document,
        max(doc_id) as last_document
    from {{ impressions }}
    group by query_id, system, position
),

within as (
    select
        query_id,
        max(case when first_document <> last_document then 1 else 0 end) as varies
    from of_rankers
    group by query_id
),
{% endif %}

queries as (
    select
        query_id,
        query_text,
        max(traffic) as traffic,
        max(documents) as documents
    from {{ reached }}
    group by query_id, query_text
)

select
    count(*) as queries,
    sum(queries.traffic) as traffic,
    count(*) filter (where queries.documents = 1) as single,
    coalesce(sum(queries.traffic) filter (where queries.documents = 1), 0) as single_traffic,
    min(queries.query_text) filter (where queries.documents = 1) as single_example{% if system %},
    coalesce(sum(queries.traffic) filter (where within.varies = 1), 0) as within_traffic
{% endif +%}
from queries
{% if system %}
inner join within on queries.query_id = within.query_id
{% endif %}

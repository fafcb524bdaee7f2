-- of the sampled queries: tied scores, copies of documents, and whether each other column is the same within a query
select
    count(*) as queries,
    coalesce(sum(ties), 0) as tied,
    coalesce(sum(copies), 0) as copies,
{% for column in columns %}
    max({{ ("values_" ~ loop.index) | ident }}) as {{ ("most_" ~ loop.index) | ident }},
{% endfor %}
    sum(documents) as documents
from (
    select
        query_id,
        count(*) as documents,
        case when count(distinct row(system, score)) < count(score) then 1 else 0 end as ties,
        count(doc_id) - count(distinct row(system, doc_id)) as copies{% if columns %},{% endif +%}
{% for column in columns %}
        count(distinct {{ ("column_" ~ loop.index) | ident }}) as {{ ("values_" ~ loop.index) | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ rows }}
    group by query_id
)

{% if not labelled %}
with

judged_queries as (
    select distinct cast({{ qrels.query_id | ident }} as {{ text }}) as query_id
    from {{ qrels.relation }}
)

{% endif %}
select
    count(*) as rankings,
    coalesce(sum(rankings.returned), 0) as documents,
    coalesce(sum({% if labelled %}rankings.returned{% else %}case when judged_queries.query_id is null then 0 else rankings.returned end{% endif %}), 0) as judged_documents,
    -- how long the ranking of a document is, on average over the documents
    cast(coalesce(sum(power(rankings.returned, 2)) / sum(rankings.returned), 0) as bigint) as length,
    {%+ if labelled %}(select count(case when try_cast({{ run.relevance | ident }} as double) > 0 then 1 end) from {{ run.relation }}){% else %}0{% endif %} as relevant_documents
from {{ names.rankings | ident }} as rankings
{% if not labelled %}
left join judged_queries
    on rankings.query_id = judged_queries.query_id
{% endif %}

{% if labelled %}{% set source = run %}{% else %}{% set source = qrels %}{% endif %}
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
    (
        select count(case when try_cast({{ source.relevance | ident }} as double) {% if positive_only %}> 0{% else %}is not null{% endif %} then 1 end)
        from {{ source.relation }}
    ){% if several and not labelled %} * count(distinct rankings.system){% endif %} as judged_to_count
from {{ names.rankings | ident }} as rankings
{% if not labelled %}
left join judged_queries
    on rankings.query_id = judged_queries.query_id
{% endif %}

{% from "macros/ranking.sql" import id_of %}
{% macro counts(relevance) %}
case when try_cast({{ relevance | ident }} as double) {% if positive_only %}> 0{% else %}is not null{% endif %} then 1 end
{%- endmacro %}
{% if not labelled %}
with

judged_queries as (
    select
        {{ id_of(qrels.query_id) }} as query_id,
        count({{ counts(qrels.relevance) }}) as to_count
    from {{ qrels.relation }}
    group by {{ id_of(qrels.query_id) }}
)

{% endif %}
select
    count(*) as rankings,
    coalesce(sum(rankings.returned), 0) as documents,
    coalesce(sum({% if labelled %}rankings.returned{% else %}case when judged_queries.query_id is null then 0 else rankings.returned end{% endif %}), 0) as judged_documents,
    -- how long the ranking of a document is, on average over the documents
    cast(coalesce(sum(power(rankings.returned, 2)) / sum(rankings.returned), 0) as bigint) as length,
    coalesce(max(rankings.returned), 0) as longest,
    {%+ if labelled %}(select count({{ counts(run.relevance) }}) // {{ parts }} from {{ run.relation }}){% else %}coalesce(sum(judged_queries.to_count), 0){% endif %} as to_count
from {{ names.rankings | ident }} as rankings
{% if not labelled %}
left join judged_queries
    on rankings.query_id = judged_queries.query_id
{% endif %}

with

{% include "steps/run.sql" %}
{% if not labelled %}
judged_queries as (
    select distinct cast({{ qrels.query_id | ident }} as {{ text }}) as query_id
    from {{ qrels.relation }}
),

{% endif %}
rankings as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        count(*) as documents
    from run_rows
    group by {{ keys }}
)

select
    count(*) as rankings,
    coalesce(sum(rankings.documents), 0) as documents,
    coalesce(sum({% if labelled %}rankings.documents{% else %}case when judged_queries.query_id is null then 0 else rankings.documents end{% endif %}), 0) as judged_documents
from rankings
{% if not labelled %}
left join judged_queries
    on rankings.query_id = judged_queries.query_id
{% endif %}

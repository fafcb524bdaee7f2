{# The queries and rows of the inputs. An export of one system judges just the queries that it has results for: one look
   at it is enough. #}
{% set beside = judged and not alone %}
{% set is_judged %}{% if alone %}run_queries.judged = 1{% else %}judged_queries.query_id is not null{% endif %}{% endset %}
{% set all_judged %}{% if not judged %}0{% elif alone %}sum(judged){% elif several %}(select count(*) from judged_queries){% else %}count(judged_queries.query_id){% endif %}{% endset %}
{% set shared %}{% if judged %}count(case when documents is not null and {{ is_judged }} then 1 end){% else %}0{% endif %}{% endset %}
with

run_queries as (
{% if rankings %}
    select
        {%+ if several %}system{% else %}{{ system | literal }}{% endif %} as system,
        cast(query_id as {{ text }}) as query_id,
        returned as documents
    from {{ rankings | ident }}
{% else %}
    select
        {%+ if several %}cast(system as {{ text }}){% else %}{{ system | literal }}{% endif %} as system,
{% if alone %}
        max(case when relevance is null then 0 else 1 end) as judged,
{% endif %}
        cast(query_id as {{ text }}) as query_id,
{% if labelled %}
        sum(case when relevance is null then 1 else 0 end) as without_relevance,
{% endif %}
        count(*) as documents
    from {{ run }}
    group by {% if several %}system, {% endif %}query_id
{% endif %}
){% if beside %},

judged_queries as (
    select
        cast(query_id as {{ text }}) as query_id,
        count(*) as judgments
    from {{ judged }}
    where relevance is not null
    group by query_id
)
{% endif %}

select
    {%+ if several %}run_queries.system{% else %}{{ system | literal }}{% endif %} as system,
    {{ all_judged }} as judged,
    {{ shared }} as shared,
    {{ all_judged }} - {{ shared }} as missing,
    count(documents) - {{ shared }} as unjudged,
{% if judged %}
    sum(case when {{ is_judged }} then 0 else documents end) as unjudged_documents,
{% endif %}
{% if labelled %}
    sum(without_relevance) as without_relevance,
{% elif judged %}
    {%+ if several %}(select sum(judgments) from judged_queries){% else %}sum(judgments){% endif %} as judgments,
{% if query_set != "judged" and several %}
    (
        select coalesce(sum(judged_queries.judgments), 0)
        from judged_queries
        left join (select distinct query_id from run_queries) as found_queries
            on judged_queries.query_id = found_queries.query_id
        where found_queries.query_id is null
    ) as missing_judgments,
{% elif query_set != "judged" %}
    sum(case when documents is null then judgments else 0 end) as missing_judgments,
{% endif %}
{% endif %}
    sum(documents) as documents
from run_queries
{% if beside %}
{%+ if several %}left{% else %}full outer{% endif %} join judged_queries
    on run_queries.query_id = judged_queries.query_id
{% endif %}
{% if several %}
group by run_queries.system
{% else %}
having count(documents) > 0
{% endif %}

{# An export of one system judges just the queries that it has results for: one look at it is enough. #}
with

run_queries as (
{% if rankings %}
    select
        {%+ if several %}system{% else %}{{ system | literal }}{% endif %} as system,
        query_id,
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
{% if parts > 1 %}
    where hash(cast(query_id as {{ text }})) % {{ parts }} = {{ part }}
{% endif %}
    group by {% if several %}system, {% endif %}query_id
{% endif %}
),

{% if judged and not alone %}
judged_queries as (
    select
        cast(query_id as {{ text }}) as query_id,
        count(*) as judgments
    from {{ judged }}
    where relevance is not null{% if parts > 1 %} and hash(cast(query_id as {{ text }})) % {{ parts }} = {{ part }}{% endif %}

    group by query_id
),

{% endif %}
evaluated as (
    select
        system,
        sum(case when sqlrank_relevant = 0 then 1 else 0 end) as no_relevant,
        sum(case when sqlrank_tied > 0 then 1 else 0 end) as tied,
        sum(sqlrank_tied) as tied_documents,
        sum(sqlrank_judged) as judged_documents
    from {{ per_query }}
{% if parts > 1 %}
    where hash(query_id) % {{ parts }} = {{ part }}
{% endif %}
    group by system
),

shared as (
    select
        run_queries.system,
        count(*) as found,
        sum(documents) as documents,
{% if judged %}
        sum(case when {% if alone %}judged = 0{% else %}judged_queries.query_id is null{% endif %} then documents else 0 end) as unjudged_documents,
{% endif %}
{% if labelled %}
        sum(without_relevance) as without_relevance,
{% endif %}
{% if not judged %}
        0 as shared,
        0 as judged
    from run_queries
{% elif alone %}
        sum(run_queries.judged) as shared,
        sum(run_queries.judged) as judged
    from run_queries
{% else %}
        count(judged_queries.query_id) as shared,
        (select count(*) from judged_queries) as judged
    from run_queries
    left join judged_queries
        on run_queries.query_id = judged_queries.query_id
{% endif %}
    group by run_queries.system
)

select
    shared.system,
    shared.judged,
    shared.shared,
    shared.judged - shared.shared as missing,
    shared.found - shared.shared as unjudged,
    {%+ if judged %}coalesce(evaluated.no_relevant, 0){% else %}0{% endif %} as no_relevant,
    coalesce(evaluated.tied, 0) as tied,
    coalesce(evaluated.tied_documents, 0) as tied_documents,
    coalesce(evaluated.judged_documents, 0) as judged_documents,
    shared.documents{% if judged %},
    shared.unjudged_documents{% endif %}{% if labelled %},
    shared.without_relevance
{% elif judged %},
    (select sum(judgments) from judged_queries) as judgments{% if query_set != "judged" %},
    (
        select coalesce(sum(judged_queries.judgments), 0)
        from judged_queries
        left join (select distinct query_id from run_queries) as found_queries
            on judged_queries.query_id = found_queries.query_id
        where found_queries.query_id is null
    ) as missing_judgments
{% endif %}
{% endif %}

from shared
left join evaluated
    on shared.system = evaluated.system

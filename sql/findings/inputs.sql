{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import relevance_of with context %}
-- the rankings as they stand
run_rows as (
    select
{% if several %}
        {{ id_of(run.system) }} as system,
{% endif %}
        {{ id_of(run.query_id) }} as query_id,
        {{ id_of(run.doc_id) }} as doc_id,
{% if ties == "rank" %}
        cast({{ run.rank | ident }} as {{ double }}) as given_rank,
{% endif %}
{% if labelled %}
        {{ relevance_of(run.relevance) }} as relevance,
{% if item_weights %}
        cast({{ run.item_weight | ident }} as {{ double }}) as item_weight,
{% endif %}
{% endif %}
{% if run.weight %}
        cast({{ run.weight | ident }} as {{ double }}) as weight,
{% endif %}
{% for column in carried.run %}
        {{ column | ident }} as {{ ("carried_" ~ column) | ident }},
{% endfor %}
        cast({{ run.score | ident }} as {{ double }}) as score
    from {{ run.relation }}
{% if run.where %}
    where
        {{ run.where }}
{% endif %}
),
{% if not without_judgments %}
-- the judgments as they stand
judged as (
    select
{% if labelled %}
        query_id,
        doc_id,
{% if qrels.weight %}
        weight,
{% endif %}
{% if item_weights %}
        item_weight,
{% endif %}
        relevance
    from run_rows
    where relevance is not null
{% else %}
{% if subtopics %}
        {{ id_of(qrels.subtopic) }} as subtopic,
{% endif %}
{% if item_weights %}
        cast({{ qrels.item_weight | ident }} as {{ double }}) as item_weight,
{% endif %}
{% if qrels.weight %}
        cast({{ qrels.weight | ident }} as {{ double }}) as weight,
{% endif %}
{% for column in carried.qrels %}
        {{ column | ident }} as {{ ("carried_" ~ column) | ident }},
{% endfor %}
        {{ id_of(qrels.query_id) }} as query_id,
        {{ id_of(qrels.doc_id) }} as doc_id,
        {{ relevance_of(qrels.relevance) }} as relevance
    from {{ qrels.relation }}
{% if parted %}
    where {{ qrels.relevance | ident }} is not null
{% endif %}
{% endif %}
),
{% endif %}
{% if asked.relation %}
-- the table of queries as it stands
asked as (
    select
{% if asked.weight %}
        cast({{ asked.weight | ident }} as {{ double }}) as weight,
{% endif %}
        {{ id_of(asked.query_id) }} as query_id
    from {{ asked.relation }}
),
{% endif %}
{% if weighted %}
-- the queries that are averaged, with their weights
weighed as (
    select
        averaged.query_id,
        {%+ if asked.weight %}min(asked_weights.weight){% elif run.weight and qrels.weight %}coalesce(min(run_weights.weight), min(judged_weights.weight)){% elif run.weight %}min(run_weights.weight){% else %}min(judged_weights.weight){% endif %} as weight
    from (
        select distinct query_id
        from {% if query_set == "judged" %}judged{% else %}run_rows{% endif +%}
{% if query_set == "shared" %}
        where query_id in (select query_id from judged)
{% endif %}
    ) as averaged
{% if asked.weight %}
    left join asked as asked_weights
        on averaged.query_id = asked_weights.query_id
{% else %}
{% if run.weight %}
    left join run_rows as run_weights
        on averaged.query_id = run_weights.query_id
{% endif %}
{% if qrels.weight %}
    left join judged as judged_weights
        on averaged.query_id = judged_weights.query_id
{% endif %}
{% endif %}
    group by averaged.query_id
),
{% endif %}
{% if tables and judgments != "error" %}
-- what the raters of a document agree on
agreed_judgments as (
    select
        query_id,
        doc_id,
        {%+ if judgments == "mean" %}avg{% else %}max{% endif %}(relevance) as relevance
    from judged
    group by query_id, doc_id
),
{% endif %}
{% if emptied %}
-- the queries with results, whether or not they meet the condition
all_queries as (
    select distinct {{ id_of(run.query_id) }} as query_id
    from {{ run.relation }}
),
{% endif %}
{% if items %}
{# The id alone stands in the line of the select, others each in a line of their own. #}
{% set between %}{% if "length" in of_items or "vector" in of_items %}

        {%+ else %} {% endif %}{% endset %}
item_rows as (
    select{{ between }}{{ id_of(items.doc_id) }} as doc_id
{%- if "length" in of_items %}
,{{ between }}cast({{ items.length | ident }} as {{ double }}) as length
{%- endif %}
{%- if "vector" in of_items %}
,{{ between }}cast({{ items.vector | ident }} as {{ double }}[]) as vector
{%- endif %}

    from {{ items.relation }}
),
{% endif %}
{% if history %}
history_rows as (
    select
        {{ id_of(history.query_id) }} as query_id,
        {{ id_of(history.doc_id) }} as doc_id
    from {{ history.relation }}
),
{% endif %}
{% if baseline %}
baseline_rows as (
    select
        {{ id_of(baseline.query_id) }} as query_id,
        {{ id_of(baseline.doc_id) }} as doc_id,
        cast({{ baseline.score | ident }} as {{ double }}) as score
    from {{ baseline.relation }}
),
{% endif %}

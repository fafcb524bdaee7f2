{% from "macros/ranking.sql" import id_of %}
{# A number minus itself is 0 only if it is finite; a comparison may be answered from statistics that leave out NaN. #}
{% macro not_finite(name) %}coalesce({{ name | ident }} - {{ name | ident }}, 1) <> 0{% endmacro %}
{% macro example(check, input, documents) %}
        {{ titles[check] | literal }} as finding,
        {{ input | literal }} as input,
        count(*) as findings,
        min(query_id) as query_id,
        {%+ if documents %}min(doc_id){% else %}cast(null as {{ text }}){% endif %} as doc_id
{%- endmacro %}
{% macro rows_where(check, input, relation, condition, documents=true) %}
    select
{{ example(check, input, documents) }}
    from {{ relation }}
    where {{ condition }}
{%- endmacro %}
{% macro groups_with(check, input, relation, keys, condition, documents=true) %}
    select
{{ example(check, input, documents) }}
    from (
        select
            {%+ if documents %}min(doc_id) as doc_id,
            {%+ endif %}query_id
        from {{ relation }}
        group by {{ keys }}
        having {{ condition }}
    ) as found
{%- endmacro %}
{% macro none_where(check, relation, condition) %}
    select
        {{ titles[check] | literal }} as finding,
        'run' as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as {{ text }}) as query_id,
        cast(null as {{ text }}) as doc_id
    from {{ relation }}
    where {{ condition }}
{%- endmacro %}
{% set missing %}query_id is null or doc_id is null{% endset %}
{% set twice %}count(*) > 1{% endset %}
{% set ranking %}{% if several %}system, {% endif %}query_id{% endset %}
{% set run_rows %}run_rows{% endset %}
{% set judged %}judged{% endset %}
{% set asked_rows %}asked{% endset %}
{% include "steps/header.sql" %}
-- a row for each finding, and none where the inputs are what the statement counts on
with
{% include "steps/partition.sql" %}
{% include "steps/given.sql" %}
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
        cast({{ run.relevance | ident }} as {{ double }}) as relevance,
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
        relevance
    from run_rows
    where relevance is not null
{% else %}
{% if subtopics %}
        {{ id_of(qrels.subtopic) }} as subtopic,
{% endif %}
{% for column in carried.qrels %}
        {{ column | ident }} as {{ ("carried_" ~ column) | ident }},
{% endfor %}
        {{ id_of(qrels.query_id) }} as query_id,
        {{ id_of(qrels.doc_id) }} as doc_id,
        cast({{ qrels.relevance | ident }} as {{ double }}) as relevance
    from {{ qrels.relation }}
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
findings as (
{{ rows_where("null_id", "run", run_rows, missing) }}

    union all

{% if order == "rank" %}
{% set wrong %}{{ not_finite("score") }} or score < 1 or score <> floor(score){% endset %}
{{ rows_where("rank_not_whole", "run", run_rows, wrong) }}
{% set place %}{{ ranking }}, score{% endset %}

    union all

{{ groups_with("rank_repeated", "run", run_rows, place, twice) }}
{% else %}
{% set wrong %}{{ not_finite("score") }}{% endset %}
{{ rows_where("bad_score", "run", run_rows, wrong) }}
{% endif %}
{% if ties == "rank" %}
{% set wrong %}{{ not_finite("given_rank") }}{% endset %}

    union all

{{ rows_where("rank_not_whole", "run", run_rows, wrong) }}
{% elif ties == "number-desc" %}
{% set wrong %}{% for digit in "0123456789" %}replace({% endfor %}doc_id{% for digit in "0123456789" %}, {{ digit | literal }}, ''){% endfor %} <> '' or (doc_id like '0%' and doc_id <> '0'){% endset %}

    union all

{{ rows_where("id_not_a_number", "run", run_rows, wrong) }}
{% endif %}
{% if duplicates == "error" %}
{% set document %}{{ ranking }}, doc_id{% endset %}

    union all

{{ groups_with("run_duplicates", "run", run_rows, document, twice) }}
{% endif %}
{% for column in carried.run %}
{% set varied %}count(distinct {{ ("carried_" ~ column) | ident }}) > 1{% endset %}

    union all

{{ groups_with("segment_varies", "run", run_rows, ranking, varied, false) }}
{% endfor %}
{% if not without_judgments %}
{% if not labelled %}

    union all

{{ rows_where("null_id", "qrels", judged, missing) }}
{% endif %}
{% set wrong %}{{ not_finite("relevance") }}{% endset %}

    union all

{{ rows_where("bad_relevance", "qrels", judged, wrong) }}
{% if subtopics %}
{% set wrong %}subtopic is null{% endset %}

    union all

{{ rows_where("null_subtopic", "qrels", judged, wrong) }}
{% endif %}
{% if judgments == "error" and not labelled %}
{% set document %}query_id, doc_id{% if subtopics %}, subtopic{% endif %}{% endset %}

    union all

{{ groups_with("qrels_duplicates", "qrels", judged, document, twice) }}
{% endif %}
{% for column in carried.qrels %}
{% set varied %}count(distinct {{ ("carried_" ~ column) | ident }}) > 1{% endset %}
{% set query %}query_id{% endset %}

    union all

{{ groups_with("segment_varies", "qrels", judged, query, varied, false) }}
{% endfor %}
{% set both %}query_id in (select query_id from judged){% if partition %} or (select count(*) from run_rows) = 0{% endif %}{% endset %}

    union all

{{ none_where("no_shared_query", run_rows, both) }}
{% endif %}
{% if asked.relation %}
{% set wrong %}query_id is null{% endset %}

    union all

{{ rows_where("null_id", "queries", asked_rows, wrong, false) }}
{% if asked.weight %}
{% set wrong %}{{ not_finite("weight") }} or weight < 0{% endset %}

    union all

{{ rows_where("weight_missing", "queries", asked_rows, wrong, false) }}
{% endif %}
{% set query %}query_id{% endset %}

    union all

{{ groups_with("queries_duplicates", "queries", asked_rows, query, twice, false) }}
{% endif %}
)
select
    finding,
    input,
    findings,
    query_id,
    doc_id
from findings
where findings > 0

{% from "macros/ranking.sql" import id_of %}
{# A number minus itself is 0 only if it is finite; a comparison may be answered from statistics that leave out NaN. #}
{% macro not_finite(name) %}coalesce({{ name | ident }} - {{ name | ident }}, 1) <> 0{% endmacro %}
{% macro example(check, input, documents, queries=true) %}
        {{ titles[check] | literal }} as finding,
        {{ input | literal }} as input,
        count(*) as findings,
        {%+ if queries %}min(query_id){% else %}cast(null as {{ text }}){% endif %} as query_id,
        {%+ if documents %}min(doc_id){% else %}cast(null as {{ text }}){% endif %} as doc_id
{%- endmacro %}
{% macro rows_where(check, input, relation, condition, documents=true, queries=true) %}
    select
{{ example(check, input, documents, queries) }}
    from {{ relation }}
    where {{ condition }}
{%- endmacro %}
{# A column that has several values, or is missing in some rows. #}
{% macro varied(name) %}count(distinct {{ ("carried_" ~ name) | ident }}) + case when count({{ ("carried_" ~ name) | ident }}) < count(*) then 1 else 0 end > 1{% endmacro %}
{% macro groups_with(check, input, relation, keys, condition, documents=true, queries=true) %}
    select
{{ example(check, input, documents, queries) }}
    from (
        select
{% if documents %}
            min(doc_id) as doc_id{% if queries %},{% endif %}

{% endif %}
{% if queries %}
            query_id
{% endif %}
        from {{ relation }}
        group by {{ keys }}
        having {{ condition }}
    ) as found
{%- endmacro %}
{% macro none_where(finding, input, relation, condition) %}
    select
        {{ finding | literal }} as finding,
        {{ input | literal }} as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as {{ text }}) as query_id,
        cast(null as {{ text }}) as doc_id
    from {{ relation }}{% if condition %}

    where {{ condition }}{% endif %}
{% endmacro %}
{% set missing %}query_id is null or doc_id is null{% endset %}
{% set twice %}count(*) > 1{% endset %}
{% set ranking %}{% if several %}system, {% endif %}query_id{% endset %}
{% set run_rows %}run_rows{% endset %}
{% set judged %}judged{% endset %}
{% set asked_rows %}asked{% endset %}
{% set weighed_rows %}weighed{% endset %}
{% set query %}query_id{% endset %}
{% set document %}query_id, doc_id{% endset %}
{% set no_rows = "there are no rows" %}
{% set item_rows %}item_rows{% endset %}
{% set history_rows %}history_rows{% endset %}
{% set baseline_rows %}baseline_rows{% endset %}
{% set agreed_judgments %}{% if judgments == "error" %}judged{% else %}agreed_judgments{% endif %}{% endset %}
{% set no_number %}{% for digit in "0123456789" %}replace({% endfor %}doc_id{% for digit in "0123456789" %}, {{ digit | literal }}, ''){% endfor %} <> '' or doc_id = '' or (doc_id like '0%' and doc_id <> '0'){% endset %}
{% include "steps/header.sql" %}
-- a row for each finding, and none where the inputs are what the statement counts on
with
{% include "steps/partition.sql" %}
{% include "steps/given.sql" %}
{% include "findings/inputs.sql" %}
findings as (
{% include "findings/run.sql" %}
{% if not without_judgments %}
{% include "findings/judgments.sql" %}
{% endif %}
{% include "findings/queries.sql" %}
{% include "findings/others.sql" %}
)
select
    finding,
    input,
    findings,
    query_id,
    doc_id
from findings
where findings > 0

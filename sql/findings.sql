{% from "macros/ranking.sql" import id_of %}
{# A number minus itself is 0 only if it is finite; a comparison may be answered from statistics that leave out NaN. #}
{% macro not_finite(name) %}coalesce({{ name | ident }} - {{ name | ident }}, 1) <> 0{% endmacro %}
{# A column that has several values, or is missing in some rows. #}
{% macro varied(name) %}count(distinct {{ ("carried_" ~ name) | ident }}) + case when count({{ ("carried_" ~ name) | ident }}) < count(*) then 1 else 0 end > 1{% endmacro %}
{% macro example(check, input, documents, queries=true) %}
        {{ titles[check] | literal }} as finding,
        {{ input | literal }} as input,
        count(*) as findings,
        {%+ if queries %}min(query_id){% else %}cast(null as {{ text }}){% endif %} as query_id,
        {%+ if documents %}min(doc_id){% else %}cast(null as {{ text }}){% endif %} as doc_id
{%- endmacro %}
{# What a check finds, below what others do: the rows of a relation that meet the condition of the call. #}
{% macro rows_where(check, input, relation, documents=true, queries=true, first=false) %}
{% if not first %}

    union all

{% endif %}
    select
{{ example(check, input, documents, queries) }}
    from {{ relation | ident }}
    where {{ caller() }}
{% endmacro %}
{# Likewise the groups of rows that meet it; where the call has none, those of more than one row. #}
{% macro groups_with(check, input, relation, keys, documents=true, queries=true) %}
{% set condition = caller() %}

    union all

    select
{{ example(check, input, documents, queries) }}
    from (
        select
{% if documents %}
            min(doc_id) as doc_id{% if queries %},{% endif +%}
{% endif %}
{% if queries %}
            query_id
{% endif %}
        from {{ relation | ident }}
        group by {% for key in keys %}{{ key | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
        having {% if condition %}{{ condition }}{% else %}count(*) > 1{% endif +%}
    ) as found
{% endmacro %}
{# Likewise that no row meets it; where the call has none, that there is no row. #}
{% macro none_where(finding, input, relation) %}
{% set condition = caller() %}

    union all

    select
        {{ finding | literal }} as finding,
        {{ input | literal }} as input,
        case when count(*) = 0 then 1 else 0 end as findings,
        cast(null as {{ text }}) as query_id,
        cast(null as {{ text }}) as doc_id
    from {{ relation | ident }}
{% if condition %}
    where {{ condition }}
{% endif %}
{% endmacro %}
{% set no_rows = "there are no rows" %}
{% set no_partition = "a row has no partition, so no table of partitions has it" %}
{% set ranking = ["system", "query_id"] if several else ["query_id"] %}
{% set missing %}query_id is null or doc_id is null{% endset %}
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

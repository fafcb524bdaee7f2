{% from "macros/queries.sql" import known_of, returned_of with context %}
{% from "macros/refusals.sql" import refused %}
-- the queries that are averaged
query_rows as (
    select
{% for source, key in query_keys_of %}
        {%+ if key == "system" and not checked %}{% set name %}{{ source }}.{{ key | ident }}{% endset %}coalesce(
            {{ name }},
            cast({{ refused(name ~ " is null", "a row has no system: name it, or leave the row out (--where)") }} as {{ text }})
        ){% else %}{{ source }}.{{ key | ident }}{% endif %} as {{ key | ident }}{% if not loop.last %},
{% endif %}
{% endfor %}
{%- for column in carried_columns %}
,
        {{ known_of(column) }} as {{ column.alias | ident }}
{%- endfor %}
{%- for column in columns if column.step in ["judged_queries", "query_subtopics"] %}
,
        cast({% if without_judgments %}0{% else %}coalesce({{ column.source }}.{{ column.name | ident }}, 0){% endif %} as {{ double }}) as {{ column.name | ident }}
{%- endfor %}
{%- for column in columns if column.step == "query_weights" %}
,
        {# Nothing judged weighs 0, nothing relevant what other queries do: a null. #}
        cast(case when query_weights.query_id is null then 0 else query_weights.{{ column.name | ident }} end as {{ double }}) as {{ column.name | ident }}
{%- endfor %}
{%- if returned_read %}
,
        cast({{ returned_of() }} as {{ double }}) as retrieved
{%- endif %}

{% include query_source %}
{% for join in joins.query_rows %}
{% include join %}
{% endfor %}
),

{# One column stands in the line of the query, others each in a line of its own. #}
{% set between %}{% if judged_columns <= 1 %} {% else +%}
        {%+ endif %}{% endset %}
-- the queries that were judged, with what there is to find
judged_queries as (
    select{{ between }}query_id
{%- for column in qrels.carried %}
,{{ between }}max({{ column.alias | ident }}) as {{ column.alias | ident }}
{%- endfor %}
{%- for column in columns if column.step == "judged_queries" %}
,{{ between }}{{ column.text }} as {{ column.name | ident }}
{%- endfor %}

    from judged
    group by query_id
),

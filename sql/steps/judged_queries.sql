{% if not without_judgments and (not plain or joined) %}
-- the queries that were judged, with what there is to find
judged_queries as (
    select
        query_id
{%- for segment in segments if segment.judged %}
,
        max({{ segment.alias | ident }}) as {{ segment.alias | ident }}
{%- endfor %}
{%- if qrels.weight %}
,
        max(weight) as weight
{%- endif %}
{%- for column in columns if column.step == "judged_queries" %}
,
        {%+ if plain %}{{ column.text }}{% else %}cast({{ column.text }} as {{ double }}){% endif %} as {{ column.name | ident }}
{%- endfor %}

    from judged
    group by query_id
),
{% endif %}

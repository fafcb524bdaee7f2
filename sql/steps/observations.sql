{% from "macros/ranking.sql" import keys_of %}
{# What a query is beside its rows is a row of it too: joined to them, it would leave the order of sums to chance.
   The first branch states the types, and no other does: DuckDB and ClickHouse take no others than those. #}
{% macro absent(type, typed) %}{%+ if typed %}cast(null as {{ type }}){% else %}null{% endif %}{% endmacro %}
{% macro described(segments, weighted, diagnostics, typed, known=false) %}
{% for segment in segments %}

        {%+ if not known %}{{ absent(text, typed) }} as {% endif %}{{ segment.alias | ident }},
{%- endfor %}
{% if weighted %}

        {%+ if not known %}{{ absent(double, typed) }} as {% endif %}weight,
{%- endif %}
{% if diagnostics %}

        {%+ if typed %}cast(null as bigint){% else %}null{% endif %} as tied,
{%- endif %}
{% endmacro %}
{% macro of_rows(columns, kind, typed, ideal=none) %}
{% for column in columns if column.queried or column.padded or column.retrieved or column.step == "cumulated" %}

        {%+ if kind in ["found", "cumulated"] and column.retrieved %}{{ column.name | ident }}
        {%- elif kind == "cumulated" and (column.step == "cumulated" or column.column in ["ideal_gain", "ideal_step"]) %}{{ column.name | ident }}
        {%- elif kind == "query" and column.queried and column.step != "ideal" %}{{ column.name | ident }}
        {%- elif kind in column.rows and column.padded %}{{ column.name | ident }}
        {%- elif ideal is not none and column.name in ideal.names %}cast({{ ideal.rows | ident }}.{{ column.name | ident }} as {{ double }}) as {{ column.name | ident }}
        {%- else %}{{ absent(double, typed) }} as {{ column.name | ident }}
        {%- endif %},
{%- endfor %}
{% endmacro %}
{% set found_rows %}{% if cumulating %}cumulated{% else %}found{% endif %}{% endset %}
{% set unranked %}null as relevance,
        null as rank,{% endset %}
{% if not plain %}
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
{% if not without_judgments %}
    select
        {{ keys }},{{ described(segments, weighted, false, true) }}
{%- if diagnostics %}

        tied,
{%- endif %}{{ of_rows(columns, found_rows, true) }}
        relevance,
        rank,
        {%+ if cumulating %}place{% else %}nullif(rank, rank) as place{% endif %}

    from {% if cumulating %}cumulated{% else %}scored{% endif %}


    union all

{% endif %}
{% for ideal in ideals if not (without_judgments or (cumulating and ideal.name)) %}
    select
        {{ keys_of("query_rows", several) }},{{ described(segments, weighted, diagnostics, false) }}{{ of_rows(columns, none, false, ideal) }}
        {{ unranked }}
        {%+ if ideal.totals %}null as place{% else %}{{ ideal.rows | ident }}.place{% endif %}

    from query_rows
    {%+ if ideal.kind == "full" %}cross{% else %}inner{% endif %} join {{ ideal.rows | ident }}
{% if ideal.kind != "full" %}
        on query_rows.query_id = {{ ideal.rows | ident }}.query_id{% if several and ideal.kind == "retrieved" %} and query_rows.system = {{ ideal.rows | ident }}.system{% endif %}

{% endif %}

    union all

{% endfor %}
{% for source in rare %}
{% set typed = without_judgments and loop.first %}
    select
        {{ keys }},{{ described(segments, weighted, diagnostics, typed) }}{{ of_rows(columns, source.kind, typed) }}
{% if not without_judgments %}
        {{ unranked }}
{% endif %}
        place
    from {{ source.rows | ident }}

    union all

{% endfor %}
    select
        {{ keys }},{{ described(segments, weighted, diagnostics, false, true) }}{{ of_rows(columns, "query", false) }}
{% if not without_judgments %}
        {{ unranked }}
{% endif %}
        null as place
    from query_rows
),
{% endif %}

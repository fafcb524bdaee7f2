{% from "macros/ranking.sql" import keys_of %}
{# What a query is beside its rows is a row of it too: joined to them, it would leave the order of sums to chance.
   The first branch states the types, and no other does: DuckDB and ClickHouse take no others than those. #}
{% macro absent(type, typed) %}{%+ if typed %}cast(null as {{ type }}){% else %}null{% endif %}{% endmacro %}
{% macro described(segments, weighted, diagnostics, typed) %}
{% for segment in segments %}

        {{ absent(text, typed) }} as {{ segment.alias | ident }},
{%- endfor %}
{% if weighted %}

        {{ absent(double, typed) }} as weight,
{%- endif %}
{% if diagnostics %}

        {%+ if typed %}cast(null as bigint){% else %}null{% endif %} as tied,
{%- endif %}
{% endmacro %}
{% macro without(columns, part, typed) %}
{% for column in columns if column[part] %}

        {{ absent(double, typed) }} as {{ column.name | ident }},
{%- endfor %}
{% endmacro %}
{% macro from_ideal(columns, part, ideal) %}
{% for column in columns if column[part] %}

        {%+ if column.name in ideal.names %}cast({{ ideal.rows | ident }}.{{ column.name | ident }} as {{ double }}){% else %}null{% endif %} as {{ column.name | ident }},
{%- endfor %}
{% endmacro %}
{% if not plain %}
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
{% if not without_judgments %}
    select
        {{ keys }},{{ described(segments, weighted, diagnostics, true) }}{{ without(columns, "queried", true) }}{{ without(columns, "padded", true) }}
{% for column in columns if column.retrieved %}
        {{ column.name | ident }},
{% endfor %}
        relevance,
        rank,
        {%+ if cumulating %}rank{% else %}nullif(rank, rank){% endif %} as place
    from scored
{% for ideal in ideals %}

    union all

    select
        {{ keys_of("query_rows", several) }},{{ described(segments, weighted, diagnostics, false) }}{{ from_ideal(columns, "queried", ideal) }}{{ from_ideal(columns, "padded", ideal) }}{{ without(columns, "retrieved", false) }}
        null as relevance,
        null as rank,
        {%+ if ideal.totals %}null as place{% else %}{{ ideal.rows | ident }}.place{% endif %}

    from query_rows
{% if ideal.kind == "full" %}
    cross join {{ ideal.rows | ident }}
{% else %}
    inner join {{ ideal.rows | ident }}
        on query_rows.query_id = {{ ideal.rows | ident }}.query_id{% if several and ideal.kind == "retrieved" %} and query_rows.system = {{ ideal.rows | ident }}.system{% endif %}

{% endif %}
{% endfor %}
{% if diagnostics %}

    union all

    select
        {{ keys }},{{ described(segments, weighted, false, false) }}
        tied,{{ without(columns, "queried", false) }}{{ without(columns, "padded", false) }}{{ without(columns, "retrieved", false) }}
        null as relevance,
        null as rank,
        null as place
    from tied_queries
{% endif %}

    union all

{% endif %}
{% for source in rare %}
{% set typed = without_judgments and loop.first %}
    select
        {{ keys }},{{ described(segments, weighted, diagnostics, typed) }}{{ without(columns, "queried", typed) }}
{% for column in columns if column.padded %}
        {%+ if source.kind in column.rows %}{{ column.name | ident }}{% else %}{{ absent(double, typed) }} as {{ column.name | ident }}{% endif %},
{% endfor %}
{% if not without_judgments %}
{% for column in columns if column.retrieved %}
        null as {{ column.name | ident }},
{% endfor %}
        null as relevance,
        null as rank,
{% endif %}
        place
    from {{ source.rows | ident }}

    union all

{% endfor %}
    select
        {{ keys }},
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        weight,
{% endif %}
{% if diagnostics %}
        null as tied,
{% endif %}
{% for column in columns if column.queried %}
        {%+ if column.step == "ideal" %}null as {% endif %}{{ column.name | ident }},
{% endfor %}
{% for column in columns if column.padded or (column.retrieved and not without_judgments) %}
        null as {{ column.name | ident }},
{% endfor %}
{% if not without_judgments %}
        null as relevance,
        null as rank,
{% endif %}
        null as place
    from query_rows
),
{% endif %}

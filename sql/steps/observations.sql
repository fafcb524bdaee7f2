{% from "macros/ranking.sql" import keys_of %}
{# The first branch of a union states its types: below a recursive step, DuckDB takes them for those of the others. #}
{% if rare or cumulating %}
-- what the metrics look at: documents found, and rows of other kinds
observations as (
{% if not without_judgments %}
    select
        {{ keys }},
        relevance,
{% for column in columns if column.retrieved and not without_judgments %}
        {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.padded %}
        cast(null as {{ double }}) as {{ column.name | ident }},
{% endfor %}
        rank,
        {%+ if cumulating %}rank{% else %}nullif(rank, rank){% endif %} as place
    from scored
{% endif %}
{% for ideal in ideals if ideal.name %}

    union all

    select
        {{ keys_of("query_rows", several) }},
        null as relevance,
{% for column in columns if column.retrieved and not without_judgments %}
        null as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.padded %}
        {%+ if column.name in [ideal.name, ideal.step] %}ideal_rows.{{ column.name | ident }}{% else %}null{% endif %} as {{ column.name | ident }},
{% endfor %}
        null as rank,
        ideal_rows.place as place
    from {{ ideal.rows | ident }}_rows as ideal_rows
    inner join query_rows
        on ideal_rows.query_id = query_rows.query_id
{% endfor %}
{% for source in rare %}
{% if not (loop.first and without_judgments) %}

    union all

{% endif %}
    select
        {{ keys }},
{% if not without_judgments %}
        null as relevance,
{% endif %}
{% for column in columns if column.retrieved and not without_judgments %}
        null as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.padded %}
        {%+ if source.kind in column.rows %}{{ column.name | ident }}{% else %}{%+ if without_judgments %}cast(null as {{ double }}){% else %}null{% endif %} as {{ column.name | ident }}{% endif %},
{% endfor %}
{% if not without_judgments %}
        null as rank,
{% endif %}
        place
    from {{ source.rows | ident }}
{% endfor %}
),
{% endif %}

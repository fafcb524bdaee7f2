{% from "macros/ranking.sql" import weight_of %}
{# The first branch of a union states its types: below a recursive step, DuckDB takes them for those of the others. #}
-- what the metrics look at: documents found, places of the ideal ranking, and one row for each query
observations as (
{% if not without_judgments %}
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for segment in segments %}
        cast(null as {{ text }}) as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        cast(null as {{ double }}) as weight,
{% endif %}
{% if diagnostics %}
        0 as tied,
{% endif %}
{% for column in columns %}
        {%+ if column.kind == "discount" %}{{ weight_of("rank", column.value) }} as {{ column.name | ident }}
{%- elif column.kind == "precision_at_hit" %}{{ column.hit | ident }} * {{ column.hits | ident }} / rank as {{ column.name | ident }}
{%- elif column.kind == "reciprocal_rank" %}{{ column.hit | ident }} / rank as {{ column.name | ident }}
{%- elif column.kind == "judged" and not averaged %}cast(1 as {{ double }}) as judged
{%- elif "retrieved" in column.rows %}{{ column.name | ident }}
{%- else %}cast(0 as {{ double }}) as {{ column.name | ident }}
{%- endif %},
{% endfor %}
        rank as place
    from {% if windowed %}hitting_points{% else %}retrieved{% endif %}

{% if diagnostics %}

    union all

    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for segment in segments %}
        null as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        null as weight,
{% endif %}
        tied,
{% for column in columns %}
        0 as {{ column.name | ident }},
{% endfor %}
        null as place
    from tied_rows
    where tied = 1
{% endif %}
{% endif %}
{% for ideal in ideals %}

    union all

    select
{% if several %}
        {%+ if ideal.kind == "judged" %}query_rows{% else %}ideal_rows{% endif %}.system as system,
{% endif %}
        ideal_rows.query_id as query_id,
{% for segment in segments %}
        null as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        null as weight,
{% endif %}
{% if diagnostics %}
        0 as tied,
{% endif %}
{% for column in columns %}
        {%+ if column.kind == "discount" %}{{ weight_of("place", column.value) }} as {{ column.name | ident }}
{%- elif column.name == ideal.name or column.name == ideal.step %}ideal_rows.{{ column.name | ident }} as {{ column.name | ident }}
{%- else %}0 as {{ column.name | ident }}
{%- endif %},
{% endfor %}
        ideal_rows.place as place
    from {{ ideal.rows | ident }} as ideal_rows
{% if ideal.kind == "judged" and (several or query_set != "judged") %}
    inner join query_rows
        on ideal_rows.query_id = query_rows.query_id
{% endif %}
{% if ideal.k %}
    where ideal_rows.place <= {{ ideal.k }}
{% endif %}
{% endfor %}
{% for source in rare %}
{% if not without_judgments %}

    union all

{% endif %}
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for segment in segments %}
        {%+ if without_judgments %}cast(null as {{ text }}){% else %}null{% endif %} as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        {%+ if without_judgments %}cast(null as {{ double }}){% else %}null{% endif %} as weight,
{% endif %}
{% if diagnostics %}
        0 as tied,
{% endif %}
{% for column in columns %}
        {%+ if column.kind == "discount" and source.kind in column.rows %}{{ weight_of("place", column.value) }} as {{ column.name | ident }}
{%- elif source.kind in column.rows %}{{ column.name | ident }}
{%- else %}0 as {{ column.name | ident }}
{%- endif %},
{% endfor %}
        place
    from {{ source.rows | ident }}
{% endfor %}
{% if rare or not without_judgments %}

    union all

{% endif %}
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        weight,
{% endif %}
{% if diagnostics %}
        0 as tied,
{% endif %}
{% for column in columns %}
        {%+ if "query" in column.rows %}{{ column.name | ident }}{% else %}0 as {{ column.name | ident }}{% endif %},
{% endfor %}
        null as place
    from query_rows
),


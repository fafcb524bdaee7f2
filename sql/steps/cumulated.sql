{% from "macros/ranking.sql" import keys_of %}
{% if cumulating %}
{# Only what these rows hold goes through the windows, which copy it. #}
-- the documents found, and the ideal rankings place by place
place_by_place as (
    select
        {{ keys }},
{% if diagnostics %}
        tied,
{% endif %}
{% for column in columns %}
{% if column.retrieved %}
        {{ column.name | ident }},
{% elif column.column in ["ideal_gain", "ideal_step"] %}
        cast(null as {{ double }}) as {{ column.name | ident }},
{% endif %}
{% endfor %}
        relevance,
        rank,
        rank as place
    from scored
{% for ideal in ideals if ideal.name %}

    union all

    select
        {{ keys_of("query_rows", several) }},
{% if diagnostics %}
        null as tied,
{% endif %}
{% for column in columns %}
{% if column.retrieved %}
        null as {{ column.name | ident }},
{% elif column.column in ["ideal_gain", "ideal_step"] and column.name in ideal.names %}
        cast({{ ideal.rows | ident }}.{{ column.name | ident }} as {{ double }}) as {{ column.name | ident }},
{% elif column.column in ["ideal_gain", "ideal_step"] %}
        null as {{ column.name | ident }},
{% endif %}
{% endfor %}
        null as relevance,
        null as rank,
        {{ ideal.rows | ident }}.place
    from query_rows
    {%+ if ideal.kind == "full" %}cross{% else %}inner{% endif %} join {{ ideal.rows | ident }}
{% if ideal.kind != "full" %}
        on query_rows.query_id = {{ ideal.rows | ident }}.query_id{% if several and ideal.kind == "retrieved" %} and query_rows.system = {{ ideal.rows | ident }}.system{% endif %}

{% endif %}
{% endfor %}
),
-- the same with the sums of both rankings down to each place
cumulated as (
    select
        {{ keys }},
{% if diagnostics %}
        tied,
{% endif %}
{% for column in columns %}
{% if column.step == "cumulated" %}
        {{ column.text }} as {{ column.name | ident }},
{% elif column.retrieved or column.column in ["ideal_gain", "ideal_step"] %}
        {{ column.name | ident }},
{% endif %}
{% endfor %}
        relevance,
        rank,
        place
    from place_by_place
),
{% endif %}

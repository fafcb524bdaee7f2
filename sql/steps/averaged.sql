{% from "macros/ranking.sql" import keys_of %}
{% if averaged and not without_judgments %}
{% set tied_group -%}
over (partition by {% if several %}ranked.system, {% endif %}ranked.query_id, ranked.score)
{%- endset %}
-- the documents, each with the mean of those of its score
averaged as (
    select
        {{ keys_of("ranked", several) }},
        ranked.rank as rank,
{% if diagnostics %}
        tied_above,
        tied_below,
{% endif %}
{% for column in columns if column.mean %}
        avg({{ column.text }}) {{ tied_group }} as {{ column.name | ident }},
{% endfor %}
        relevance
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

{% if scaled %}
    cross join scale_rows
{% endif %}
),
{% endif %}

{% from "macros/steps.sql" import of_its_query %}
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
    {{ of_its_query(several) }}
{% if scaled %}
    cross join scale_rows
{% endif %}
),
{% endif %}

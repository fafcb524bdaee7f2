{% from "macros/guards.sql" import argument_or_error, id_or_error, number_or_error %}
{% if not without_judgments %}
-- the judgments: one row for each judged document of a query
qrels_rows as (
    select
{% if labelled %}
        query_id,
        doc_id,
{% for column in qrels.extra %}
{% if pooled %}
        max({{ column.alias | ident }}) as {{ column.alias | ident }},
{% else %}
        {{ column.alias | ident }},
{% endif %}
{% endfor %}
{% if qrels.weight %}
        {%+ if pooled %}max(weight) as {% endif %}weight,
{% endif %}
{% if pooled %}
        {%+ if judgments == "mean" %}avg(distinct relevance){% else %}max(relevance){% endif %} as relevance
{% else %}
        relevance
{% endif %}
    from run_rows
    where relevance is not null
{% if pooled %}
    group by query_id, doc_id
{% endif %}
{% else %}
{% set query_id -%}
cast({{ qrels.query_id | ident }} as {{ text }}){{ bytewise }}
{%- endset %}
{% set doc_id -%}
cast({{ qrels.doc_id | ident }} as {{ text }}){{ bytewise }}
{%- endset %}
{% set relevance -%}
cast({{ qrels.relevance | ident }} as {{ double }})
{%- endset %}
        {%+ if guarded %}{{ id_or_error(query_id, "query_id", "judgments") }}{% else %}{{ query_id }}{% endif %} as query_id,
        {%+ if guarded %}{{ id_or_error(doc_id, "doc_id", "judgments") }}{% else %}{{ doc_id }}{% endif %} as doc_id,
{% for column in qrels.extra %}
        {%+ if pooled %}max({% endif %}cast({{ column.name | ident }} as {{ text }}){% if pooled %}){% endif %} as {{ column.alias | ident }},
{% endfor %}
{% if qrels.weight %}
        {%+ if pooled %}max({% endif %}cast({{ qrels.weight | ident }} as {{ double }}){% if pooled %}){% endif %} as weight,
{% endif %}
{% if pooled %}
        {%+ if judgments == "mean" %}avg{% else %}max{% endif %}({% if guarded %}{{ number_or_error(relevance, "relevance", qrels.query_id, qrels.doc_id) }}{% else %}{{ relevance }}{% endif %}) as relevance
{% else %}
        {%+ if guarded %}{{ number_or_error(relevance, "relevance", qrels.query_id, qrels.doc_id) }}{% else %}{{ relevance }}{% endif %} as relevance
{% endif %}
    from {{ qrels.relation }}
    where {% if checked %}true{% else %}{{ qrels.relevance | ident }} is not null{% endif %}{% if parts > 1 %} and hash(cast({{ qrels.query_id | ident }} as {{ text }})) % {{ parts }} = {{ part }}{% endif %}

{% for name in arguments %}
        and {{ argument_or_error(name) }}
{% endfor %}
{% if pooled %}
    group by cast({{ qrels.query_id | ident }} as {{ text }}){{ bytewise }}, cast({{ qrels.doc_id | ident }} as {{ text }}){{ bytewise }}
{% endif %}
{% endif %}
),

{% endif %}

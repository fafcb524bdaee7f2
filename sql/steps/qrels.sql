{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import relevance_of with context %}
{% if labelled %}
{% set source = run %}
{% else %}
{% set source = qrels %}
{% endif %}
{% if not without_judgments and (not (plain and labelled) or ideals or scaled) %}
-- the judgments: one row for each judged document of a query
judged as {% if inline and rereads %}{{ inline }} {% endif %}(
    select
{% if labelled and not plain %}
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
        {{ id_of(source.query_id) }} as query_id,
{% if not labelled %}
        {{ id_of(source.doc_id) }} as doc_id,
{% endif %}
{% for column in qrels.extra %}
        {%+ if pooled %}max({% endif %}cast({{ column.name | ident }} as {{ text }}){% if pooled %}){% endif %} as {{ column.alias | ident }},
{% endfor %}
{% if qrels.weight %}
        {%+ if pooled %}max({% endif %}cast({{ qrels.weight | ident }} as {{ double }}){% if pooled %}){% endif %} as weight,
{% endif %}
{% if pooled %}
        {%+ if judgments == "mean" %}avg{% else %}max{% endif %}({{ relevance_of(source.relevance) }}) as relevance
{% else %}
        {{ relevance_of(source.relevance) }} as relevance
{% endif %}
    from {{ source.relation }}
    where {% if checked %}true{% else %}{{ source.relevance | ident }} is not null{% endif %}{% if parts > 1 %} and hash(cast({{ source.query_id | ident }} as {{ text }})) % {{ parts }} = {{ part }}{% endif %}

{% if labelled and run.where %}
        and (
            {{ run.where }}
        )
{% endif %}
{% if pooled %}
    group by {{ id_of(source.query_id) }}, {{ id_of(source.doc_id) }}
{% endif %}
{% endif %}
),
{% endif %}

{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import with_relevance with context %}
{% set source = run if labelled else qrels %}
-- what each judged document weighs
item_weights as (
    select
        {{ id_of(source.query_id) }} as query_id,
        {{ id_of(source.doc_id) }} as doc_id,
        max(cast({{ source.item_weight | ident }} as {{ double }})) as item_weight
    from {{ source.relation }}
    {{ with_relevance(source) }}
    group by {{ id_of(source.query_id) }}, {{ id_of(source.doc_id) }}
),

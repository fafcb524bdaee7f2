{% from "macros/ranking.sql" import id_of, last_first, text_of %}
-- the places of the documents in the baseline
baseline_ranks as (
    select
        {{ id_of(baseline.query_id) }} as query_id,
        {{ id_of(baseline.doc_id) }} as doc_id,
        row_number() over (
            partition by {{ id_of(baseline.query_id) }}
            order by cast({{ baseline.score | ident }} as {{ double }}) {{ baseline.direction }}, {{ last_first(text_of(baseline.doc_id), ties) }}
        ) as rank
    from {{ baseline.relation }}
),
baseline_queries as (
    select query_id
    from baseline_ranks
    group by query_id
),

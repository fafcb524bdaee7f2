{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import made_in with context %}
-- how often each document stands in the history
known_items as (
    select{{ made_in("history") }}
        {{ id_of(history.doc_id) }} as doc_id,
        cast(count(*) as {{ double }}) as interactions,
        cast(count(distinct {{ id_of(history.query_id) }}) as {{ double }}) as users
    from {{ history.relation }}
    group by {{ id_of(history.doc_id) }}
),
history_totals as (
    select
        cast(count(*) as {{ double }}) as interactions,
        cast(count(distinct {{ id_of(history.query_id) }}) as {{ double }}) as users
    from {{ history.relation }}
),

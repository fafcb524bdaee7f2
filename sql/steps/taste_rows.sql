{% from "macros/keys.sql" import keys_in, keys_of with context %}
{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import made_in with context %}
-- the vectors of the documents that each query, or user, knows from the history
known_vectors as (
    select
        {{ id_of(history.query_id, "known") }} as query_id,
        max(cast(catalogue.{{ items.vector | ident }} as {{ double }}[])) as doc_vector
    from {{ history.relation }} as known
    inner join {{ items.relation }} as catalogue
        on {{ id_of(history.doc_id, "known") }} = {{ id_of(items.doc_id, "catalogue") }}
    where catalogue.{{ items.vector | ident }} is not null
    group by {{ id_of(history.query_id, "known") }}, {{ id_of(history.doc_id, "known") }}
),
-- how far the documents are from those
taste_rows as (
    select
        {{ keys_of("vectored") }},{{ made_in("taste_rows") }}
        vectored.place as place
    from vectored
    inner join known_vectors
        on vectored.query_id = known_vectors.query_id
{% for join in joins.taste_rows %}
{% include join %}
{% endfor %}
    group by {{ keys_in("vectored") }}, vectored.place
),

{% from "macros/keys.sql" import keys_in, keys_of, one_ranking with context %}
{% from "macros/steps.sql" import made_in with context %}
-- each of them next to those above it
vector_rows as (
    select
        {{ keys_of("document") }},{{ made_in("vector_rows") }}
        document.place as place
    from vectored as document
    left join vectored as earlier
        on {{ one_ranking("document", "earlier") }} and earlier.place < document.place
    group by {{ keys_in("document") }}, document.place
),

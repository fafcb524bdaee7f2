{% from "macros/keys.sql" import keys_of with context %}
-- the rank of each document found that was judged, from the tables made above
ranked as (
    select
        {{ keys_of("placed") }},
        placed.relevance as relevance,
        coalesce(tied_hits.tied, 0) as tied,
        placed.above + coalesce(tied_hits.before, 0) + 1 as rank
    from {{ names.placed | ident }} as placed
    left join {{ names.tied_hits | ident }} as tied_hits
        on placed.hit = tied_hits.hit
),

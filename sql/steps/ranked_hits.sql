{% from "macros/keys.sql" import keys_of with context %}
-- the rank of each document found that was judged, from the tables made above
ranked as (
    select
        {{ keys_of("placed") }},
        placed.relevance as relevance,
        case when tied_hits.before > 0 then 1 else 0 end as tied_above,
        case when tied_hits.alike > tied_hits.before + 1 then 1 else 0 end as tied_below,
        placed.above + coalesce(tied_hits.before, 0) + 1 as rank
    from {{ names.placed | ident }} as placed
    left join {{ names.tied_hits | ident }} as tied_hits
        on placed.hit = tied_hits.hit
),

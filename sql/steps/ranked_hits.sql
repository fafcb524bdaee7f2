{% from "macros/ranking.sql" import keys_of %}
-- the rank of each document found that was judged, from the tables made above
ranked as (
    select
        {{ keys_of("placed", several) }},
        placed.relevance as relevance,
{% if diagnostics %}
        case when tied_hits.before > 0 then 1 else 0 end as tied_above,
        case when tied_hits.alike > tied_hits.before + 1 then 1 else 0 end as tied_below,
{% endif %}
        placed.above + coalesce(tied_hits.before, 0) + 1 as rank
    from {{ names.placed | ident }} as placed
    left join {{ names.tied_hits | ident }} as tied_hits
        on placed.hit = tied_hits.hit
),

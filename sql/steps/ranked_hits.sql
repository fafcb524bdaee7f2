-- the rank of each document found that was judged, from the tables made above
ranked as (
    select
{% if several %}
        hits.system,
{% endif %}
        hits.query_id,
        hits.relevance,
{% if diagnostics %}
        case when tied_hits.before > 0 then 1 else 0 end as tied_above,
        case when tied_hits.alike > tied_hits.before + 1 then 1 else 0 end as tied_below,
{% endif %}
        placed.above + coalesce(tied_hits.before, 0) + 1 as rank
    from {{ names.hits | ident }} as hits
    inner join {{ names.placed | ident }} as placed
        on hits.rowid = placed.hit
    left join {{ names.tied_hits | ident }} as tied_hits
        on hits.rowid = tied_hits.hit
),


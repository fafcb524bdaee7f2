{# The cells of each of some groups of what is independent. #}
select
    cast(hash(cast(shown.{{ unit | ident }} as varchar)) % {{ groups }} as bigint) as unit_group,
    numbered.pair,
    shown.position,
    cast(count(*) as double) as impressions,
    cast(sum(shown.clicked) as double) as clicks
from {{ impressions }} as shown
inner join {{ numbered }} as numbered on shown.query_id = numbered.query_id and shown.doc_id = numbered.doc_id
group by all

{# The cells of each of some groups of what is independent. #}
{% from "macros/hashing.sql" import group_of %}
select
    {{ group_of([unit], 0, groups, "shown") }} as unit_group,
    numbered.pair,
    shown.position,
    cast(count(*) as double) as impressions,
    cast(sum(shown.clicked) as double) as clicks
from {{ impressions }} as shown
inner join {{ numbered }} as numbered on shown.query_id = numbered.query_id and shown.doc_id = numbered.doc_id
group by all

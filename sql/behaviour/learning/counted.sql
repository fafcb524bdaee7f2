{# Cells by the numbers of their pairs. #}
select
    numbered.pair,
    cells.position,
    cast(cells.impressions as double) as impressions,
    cast(cells.clicks as double) as clicks
from {{ cells }} as cells
inner join {{ numbered }} as numbered on cells.query_id = numbered.query_id and cells.doc_id = numbered.doc_id

{# Impressions that are alike, once with their number: the documents in their order, and which of them were clicked. #}
select
    row_number() over () as session,
    documents,
    clicks,
    coalesce(list_max([place for clicked, place in clicks if clicked = 1]), 0) as last_click,
    cast(count(*) as double) as sessions
from (
    select
        list(numbered.pair order by shown.position asc) as documents,
        list(shown.clicked order by shown.position asc) as clicks
    from {{ impressions }} as shown
    inner join {{ numbered }} as numbered on shown.query_id = numbered.query_id and shown.doc_id = numbered.doc_id
    group by shown.impression_id
)
group by documents, clicks

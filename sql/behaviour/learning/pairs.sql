{# The pairs of a query and a document, numbered. #}
select
    row_number() over () as pair,
    query_id,
    doc_id
from (
    select distinct
        query_id,
        doc_id
    from {{ rows_of }}
)

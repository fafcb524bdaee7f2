-- a pair whose judgments are of two segments, and how many there are
select
    query_id,
    doc_id,
    segment,
    another,
    count(*) over () as findings
from {{ relation }}
where another is not null
order by query_id asc, doc_id asc
limit 1

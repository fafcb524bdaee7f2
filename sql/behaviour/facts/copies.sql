{# Documents that stand several times in an impression, and how many rows that is beyond the first. #}
select
    coalesce(sum(copies - 1), 0) as copies,
    min(cast(impression_id as varchar)) as impression_example,
    min_by(cast(doc_id as varchar), cast(impression_id as varchar)) as document_example
from (
    select
        impression_id,
        doc_id,
        count(*) as copies
    from {{ log }}
    where impression_id in (select suspects.impression_id from {{ suspects }} as suspects)
    group by impression_id, doc_id
    having count(*) > 1
)

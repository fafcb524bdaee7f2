{# Documents that stand several times in an impression: the rows beyond the first, and those among them at other places. #}
select
    coalesce(sum(copies - 1), 0) as copies,
    coalesce(sum(copies - 1) filter (where highest > lowest), 0) as elsewhere,
    coalesce(sum(clicks - 1) filter (where clicks > 1), 0) as repeated_clicks,
    min(cast(impression_id as varchar)) as impression_example,
    min_by(cast(doc_id as varchar), cast(impression_id as varchar)) as document_example
from (
    select
        impression_id,
        doc_id,
        count(*) as copies,
        sum(clicked) as clicks,
        min(position) as lowest,
        max(position) as highest
    from {{ log }}
    where impression_id in (select suspects.impression_id from {{ suspects }} as suspects)
    group by impression_id, doc_id
    having count(*) > 1
)

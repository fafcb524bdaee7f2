{# Places of impressions at which several documents stand. #}
select
    count(*) as findings,
    min(cast(impression_id as varchar)) as impression_example,
    min_by(place, cast(impression_id as varchar)) as place_example,
    min_by(documents, cast(impression_id as varchar)) as documents_example
from (
    select
        impression_id,
        position as place,
        string_agg(distinct cast(doc_id as varchar), ', ' order by cast(doc_id as varchar)) as documents
    from {{ log }}
    where impression_id in (select suspects.impression_id from {{ suspects }} as suspects)
    group by impression_id, {% if "page" in columns %}page, {% endif %}position
    having count(distinct doc_id) > 1
)

{# Rows of policies whose probability is none, and places at which the documents are together more likely than 1. #}
select
    (select count(*) from {{ entries }} where not coalesce(share between 0 and 1, false) or position is null or position < 1) as wrong,
    (
        select min(concat_ws(', ', coalesce(query_id, impression_id), doc_id, 'position ' || coalesce(cast(position as varchar), 'none'), coalesce(cast(share as varchar), 'none')))
        from {{ entries }}
        where not coalesce(share between 0 and 1, false) or position is null or position < 1
    ) as wrong_example,
    count(*) filter (where total > 1.000001) as above,
    min(coalesce(query_id, impression_id) || ', position ' || cast(position as varchar) || ', ' || cast(round(total, 6) as varchar)) filter (where total > 1.000001) as above_example,
    count(*) filter (where copies > documents) as repeated,
    min(coalesce(query_id, impression_id) || ', position ' || cast(position as varchar)) filter (where copies > documents) as repeated_example
from (
    select
        system,
        impression_id,
        query_id,
        position,
        sum(share) as total,
        count(*) as copies,
        count(distinct doc_id) as documents
    from {{ entries }}
    group by system, impression_id, query_id, position
) as of_places

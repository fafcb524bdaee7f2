{# Each query with the first of its positions that most impressions reach, which stands for the impression. #}
select
    query_id,
    query_text,
    traffic,
    most,
    position
from (
    select
        query_id,
        query_text,
        traffic,
        most,
        position,
        row_number() over (partition by query_id order by traffic desc, position asc) as place
    from {{ reached }}
) as placed
where place = 1

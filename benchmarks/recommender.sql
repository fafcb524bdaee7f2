-- 138,000 users with a hundred items each, about thirty of their judged items: the shape of a recommender's test set
create or replace temp table shown as
select
    'u' || cast(users.user_number as varchar) as query_id,
    'i' || cast(hash(users.user_number, places.place) % 20000 as varchar) as doc_id,
    round(1 - places.place / 100.0 + (hash(places.place, users.user_number, 1) % 1000) / 4000.0, 3) as score
from range(138000) as users (user_number)
cross join range(100) as places (place);

copy (
    select
        query_id,
        doc_id,
        max(score) as score
    from shown
    group by query_id, doc_id
) to 'run.parquet';

copy (
    select distinct on (query_id, doc_id)
        query_id,
        doc_id,
        cast(1 + hash(doc_id, query_id) % 4 as double) as relevance
    from (
        select
            query_id,
            doc_id
        from shown
        where hash(query_id, doc_id, 2) % 100 < 15
        union all
        select
            'u' || cast(users.user_number as varchar) as query_id,
            'i' || cast(hash(users.user_number, places.place, 3) % 20000 as varchar) as doc_id
        from range(138000) as users (user_number)
        cross join range(15) as places (place)
    ) as judged
) to 'qrels.parquet';

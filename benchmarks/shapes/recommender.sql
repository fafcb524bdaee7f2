-- 138,000 users with a hundred items each and about thirty judged items, of which half are shown: the test set of a
-- recommender, written a user's list at a time with the users in no order.

-- A prime step through the catalogue gives every user distinct items without looking for duplicates.
create temp view candidates as
select
    users.user_number,
    places.place,
    'u' || cast(users.user_number as varchar) as query_id,
    'i' || cast((hash(users.user_number) % 20000 + places.place * 7919) % 20000 as varchar) as doc_id
from range(cast(greatest(1, round(138000 * getvariable('scale'))) as bigint)) as users (user_number)
cross join range(115) as places (place);

copy (
    select
        query_id,
        doc_id,
        round(1 - place / 100.0 + (hash(place, user_number, 1) % 1000) / 4000.0, 3) as score
    from candidates
    where place < 100
    order by hash(query_id) asc, query_id asc, score desc, hash(doc_id) asc
) to 'run.parquet';

copy (
    select
        query_id,
        doc_id,
        cast(1 + hash(doc_id, query_id) % 4 as double) as relevance
    from candidates
    where place >= 100 or hash(query_id, doc_id, 2) % 100 < 15
    order by hash(query_id, 1), query_id, hash(doc_id)
) to 'qrels.parquet';

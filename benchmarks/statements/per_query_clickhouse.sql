-- arrays of a query instead of windows: sorting within a query needs no sort of everything
with sorted as (
    select query_id, arrayMap(row -> row.2, arrayReverseSort(groupArray((assumeNotNull(score), assumeNotNull(doc_id))))) as docs
    from run
    group by query_id
),
placed as (
    select query_id, doc_id, place
    from sorted
    array join docs as doc_id, arrayEnumerate(docs) as place
),
gained as (
    select placed.query_id as query_id, arraySort(row -> row.1, groupArray((place, assumeNotNull(relevance)))) as found
    from placed
    join qrels on qrels.query_id = placed.query_id and qrels.doc_id = placed.doc_id
    where relevance > 0
    group by placed.query_id
),
ideal as (
    select query_id, arrayReverseSort(groupArray(assumeNotNull(relevance))) as gains
    from qrels
    group by query_id
)
select
    ideal.query_id as query_id,
    ifNotFinite(
        arraySum(row -> if(row.1 <= 10, row.2 / log(row.1 + 1), 0), found)
        / arraySum((gain, place) -> if(place <= 10, gain / log(place + 1), 0), gains, arrayEnumerate(gains)), 0
    ) as ndcg_at_10,
    ifNotFinite(
        arraySum((row, hits) -> hits / row.1, found, arrayEnumerate(found)) / arrayCount(gain -> gain > 0, gains), 0
    ) as ap
from ideal
left join gained on gained.query_id = ideal.query_id

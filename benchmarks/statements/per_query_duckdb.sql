-- the ideal comes from a heap of the ten best judgments, not from a sort
with placed as (
    select query_id, doc_id, row_number() over (partition by query_id order by score desc, doc_id desc) as place
    from run
),
found as (
    select query_id, relevance, place, row_number() over (partition by query_id order by place) as hits
    from placed
    join qrels using (query_id, doc_id)
    where relevance > 0
),
gained as (
    select
        query_id,
        sum(relevance / ln(place + 1)) filter (place <= 10) as dcg,
        sum(hits / place) as precisions
    from found
    group by query_id
),
ideal as (
    select
        query_id,
        list_sum(list_transform(max(relevance, 10), lambda gain, place: gain / ln(place + 1))) as dcg,
        count(*) filter (relevance > 0) as positives
    from qrels
    group by query_id
)
select query_id, coalesce(gained.dcg / ideal.dcg, 0) as ndcg_at_10, coalesce(precisions / positives, 0) as ap
from ideal
left join gained using (query_id)

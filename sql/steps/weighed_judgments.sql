-- the judgments with those weights
weighed_judgments as (
    select
        judged.query_id as query_id,
        judged.relevance as relevance,
        item_weights.item_weight as item_weight
    from judged
    inner join item_weights
        on judged.query_id = item_weights.query_id and judged.doc_id = item_weights.doc_id
),

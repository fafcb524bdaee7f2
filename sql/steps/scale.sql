-- the largest relevance of all judgments
scale_rows as (
    select max(relevance) as largest
    from judged
),

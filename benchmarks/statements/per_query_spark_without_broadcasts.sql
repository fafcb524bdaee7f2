-- both inputs are exchanged once and together, by query; everything after that is local
with both_inputs as (
    select /*+ repartition(query_id) */ *
    from (
        select query_id, doc_id, score, cast(null as int) as relevance from run
        union all
        select query_id, doc_id, null, relevance from qrels
    )
),
merged as (
    select query_id, doc_id, max(score) as score, max(relevance) as relevance
    from both_inputs
    group by query_id, doc_id
),
placed as (
    select
        query_id, relevance, score is not null as found,
        row_number() over (partition by query_id order by score desc nulls last, doc_id desc) as place,
        row_number() over (partition by query_id order by relevance desc nulls last) as best_place
    from merged
),
counted as (
    select *, count_if(relevance > 0 and found) over (partition by query_id order by place rows unbounded preceding) as hits
    from placed
    where relevance is not null
)
select
    query_id,
    coalesce(
        sum(relevance / ln(place + 1)) filter (where place <= 10 and found)
        / nullif(sum(relevance / ln(best_place + 1)) filter (where best_place <= 10), 0), 0
    ) as ndcg_at_10,
    coalesce(sum(hits / place) filter (where relevance > 0 and found) / nullif(count_if(relevance > 0), 0), 0) as ap
from counted
group by query_id

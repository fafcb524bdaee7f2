-- the documents that stand in the first places of either ranking, then what all others add
select
    baseline_rank,
    rank,
    moved,
    shown.doc_id as doc_id,
    {%+ if titles %}titles.title{% else %}cast(null as {{ text }}){% endif %} as title,
    relevance,
    gain,
    baseline_score,
    score,
    baseline_contribution,
    contribution,
    difference,
    documents
from (
    select
        *,
        1 as documents,
        case when rank is null or baseline_rank < rank then baseline_rank else rank end as best_rank
    from {{ documents }}
    where baseline_rank <= {{ rows }} or rank <= {{ rows }}

    union all by name

    select
        sum(baseline_contribution) as baseline_contribution,
        sum(contribution) as contribution,
        sum(difference) as difference,
        count(*) as documents
    from {{ documents }}
    where coalesce(baseline_rank > {{ rows }}, true) and coalesce(rank > {{ rows }}, true)
    having count(*) > 0
) as shown
{% if titles %}
left join {{ titles }} as titles
    on shown.doc_id = titles.id
{% endif %}
order by best_rank asc nulls last, baseline_rank asc nulls last

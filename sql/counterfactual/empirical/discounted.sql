{# The discounts of the ranks of the candidates, each with what the log has of the document there: its clicks over the
   propensities of their positions, for each impression that shows it. A rank counts whether or not lists are so long; of a
   query without an answer there is no document. A document of which the log says too little gains at most what the best one of
   its query does, and a query without an answer as much at each of its places. A rank earns on average (`level`) the discounted gain of a
   document that the log shows at that position, or of any where it shows none there. #}
with
answered as (
    select distinct
        system,
        query_id
    from {{ entries }}
),

best as (
    select
        query_id,
        max(corrected / impressions) as gain
    from {{ documents }}
    where impressions >= {{ fewest }}
    group by query_id
),

gains as (
    select
        of_cells.position,
        sum(of_cells.rewards / propensities.propensity) / sum(of_cells.impressions) as gain,
        sum(sum(of_cells.rewards / propensities.propensity)) over () / sum(sum(of_cells.impressions)) over () as mean_gain
    from {{ cells }} as of_cells
    inner join {{ propensities }} as propensities on of_cells.position = propensities.position
    group by of_cells.position
),

whole as (
    select
        reached.query_id,
        sum(ln(2.0) / ln(reached.place + 1.0)) as discount,
        sum(ln(2.0) / ln(reached.place + 1.0) * gains.gain) as level
    from {{ reached }} as reached
    inner join gains on reached.position = gains.position
    where reached.place <= {{ cutoff }}
    group by reached.query_id
)

select
    systems.system,
    anchors.query_id,
    anchors.position,
    coalesce(entries.position, 1) as place,
    documents.doc_id,
    anchors.traffic,
    case when answered.query_id is null then 1.0 else coalesce(entries.share, 0) end as share,
    case
        when answered.query_id is null then whole.level
        else ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) * coalesce(gains.gain, (select max(mean_gain) from gains))
    end as level,
    coalesce(best.gain, {{ top | literal }})
    * case when answered.query_id is null then whole.discount else ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) end as most,
    answered.query_id is not null as answered,
    coalesce(documents.impressions, 0) as impressions,
    coalesce(documents.impressions >= {{ fewest }}, false) as supported,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) as discount,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) * documents.corrected / documents.impressions as rate,
    ln(2.0) / ln(coalesce(entries.position, 1) + 1.0) * anchors.traffic / documents.impressions as factor,
    documents.corrected / documents.impressions as base
from {{ anchors }} as anchors
cross join (select distinct system from {{ entries }}) as systems
left join best on anchors.query_id = best.query_id
left join whole on anchors.query_id = whole.query_id
left join answered on systems.system = answered.system and anchors.query_text = answered.query_id
left join {{ entries }} as entries
    on systems.system = entries.system and anchors.query_text = entries.query_id and entries.position <= {{ cutoff }}
left join gains on coalesce(entries.position, 1) = gains.position
left join {{ documents }} as documents
    on anchors.query_text = documents.query_text and entries.doc_id = documents.doc_text

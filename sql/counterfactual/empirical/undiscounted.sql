{# Every document with enough impressions, as if all were at the first rank: what gains are divided by. #}
select
    {{ system | literal }} as system,
    anchors.query_id,
    anchors.position,
    1 as place,
    documents.doc_id,
    anchors.traffic,
    1.0 as share,
    1.0 as level,
    anchors.most,
    true as answered,
    documents.impressions,
    true as supported,
    1.0 as discount,
    documents.corrected / documents.impressions as rate,
    anchors.traffic / documents.impressions as factor,
    documents.corrected / documents.impressions as base
from {{ anchors }} as anchors
inner join {{ documents }} as documents on anchors.query_id = documents.query_id
where documents.impressions >= {{ fewest }}

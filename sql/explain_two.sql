{% from "macros/ranking.sql" import gain_of %}
-- two rankings of one query side by side{% if title %}, and what each document adds to {{ title }}{% endif +%}
{% include "explain/documents.sql" %},
-- both rankings of each of them
beside as (
    select
        max(case when system = {{ before | literal }} then rank end) as baseline_rank,
        max(case when system = {{ after | literal }} then rank end) as rank,
        doc_id,
        max(relevance) as relevance,
        max(case when system = {{ before | literal }} then score end) as baseline_score,
        max(case when system = {{ after | literal }} then score end) as score,
        sum(case when system = {{ before | literal }} then contribution else 0 end) as baseline_contribution,
        sum(case when system = {{ after | literal }} then contribution else 0 end) as contribution
    from shown_documents
    group by doc_id
)

select
    baseline_rank,
    rank,
    case
        when baseline_rank is null then 'new'
        when rank is null then 'gone'
        when rank < baseline_rank then 'up'
        when rank > baseline_rank then 'down'
        else 'same'
    end as moved,
    doc_id,
    relevance,
{% if gain is none %}
    cast(null as {{ double }}) as gain,
{% else %}
    {{ gain_of(gain) }} as gain,
{% endif %}
    baseline_score,
    score,
{% if lines %}
    baseline_contribution,
    contribution,
    contribution - baseline_contribution as difference
{% else %}
    cast(null as {{ double }}) as baseline_contribution,
    cast(null as {{ double }}) as contribution,
    cast(null as {{ double }}) as difference
{% endif %}
from beside

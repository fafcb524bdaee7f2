{% from "macros/ranking.sql" import text_of %}
-- sqlrank {{ version }}: {{ title }}
{% for line in header %}
-- {{ line }}
{% endfor %}
with
{% include "behaviour/first_steps.sql" %}

-- each query, document and position, with impressions and clicks
cells as (
    {{ cells | indent }}
),

-- how many impressions reach each position of a query, and the best rate there
reached as (
    select
        query_id,
        position,
        sum(impressions) as traffic,
        max(case when impressions >= {{ fewest }} then cast(clicks as {{ double }}) / impressions end) as most
    from cells
    group by query_id, position
),

-- what each position earns on average, over all queries
levels as (
    select
        position,
        cast(sum(clicks) as {{ double }}) / sum(impressions) as earns
    from cells
    group by position
),

{% if propensities %}
-- each document wherever it stood: impressions, and clicks over looks
documents as (
    select
        cells.query_id,
        cells.doc_id,
        sum(cells.impressions) as impressions,
        nullif(sum(cells.impressions * propensities.propensity), 0) as examinations,
        cast(sum(cells.clicks) as {{ double }}) / nullif(sum(cells.impressions * propensities.propensity), 0) as rate
    from cells
    inner join {{ propensities }} as propensities on cells.position = propensities.position
    group by cells.query_id, cells.doc_id
),
{% endif %}

-- the ranking that is valued; of documents with one {% if run.rank %}rank{% else %}score{% endif %} the last by its text is the first
ranking_places as (
    select
        {{ run.query_id | ident }}{% if run.query_id != "query_id" %} as query_id{% endif %},
        {{ run.doc_id | ident }}{% if run.doc_id != "doc_id" %} as doc_id{% endif %},
        {{ (run.rank or run.score) | ident }} as given,
        row_number() over (partition by {{ run.query_id | ident }} order by {% if run.rank %}{{ run.rank | ident }} asc{% else %}{{ run.score | ident }} desc{% endif %}, {{ text_of(run.doc_id) }} desc) as position
    from {{ run_relation }}
),

-- what is no ranking has no value: rows without an id or a finite {% if run.rank %}rank{% else %}score{% endif %}, and documents that appear twice{% if run.rank %}, or share a rank{% endif +%}
faults as (
    select count(*) as findings
    from (
        select query_id
        from ranking_places
        group by query_id, {% if run.rank %}given{% else %}doc_id{% endif %}
        having count(*) > 1
{% if run.rank %}
        union all
        select query_id
        from ranking_places
        group by query_id, doc_id
        having count(*) > 1
{% endif %}
        union all
        select query_id
        from ranking_places
        where query_id is null
            or doc_id is null
            or given is null
            or lower(cast(given as {{ text }})) in ('nan', 'inf', '-inf', 'infinity', '-infinity')
    ) as found
),

answered as (
    select distinct query_id
    from ranking_places
),

-- each place of it: what the log says it earns there, if it has shown that often enough
places as (
    select
        reached.query_id as query_id,
        reached.position as position,
        ranked.doc_id as doc_id,
        reached.traffic as traffic,
        levels.earns as earns,
        reached.most as most,
        cast(reached.traffic as {{ double }}){% if propensities %} * propensities.propensity / known.examinations{% else %} / known.impressions{% endif %} as factor,
        case when ranked.doc_id is null and answered.query_id is not null then 0 else 1 end as shown,
        case when known.impressions >= {{ fewest }} then {% if propensities %}known.rate * propensities.propensity{% else %}cast(known.clicks as {{ double }}) / known.impressions{% endif %} end as rate
    from reached
    inner join levels on reached.position = levels.position
{% if propensities %}
    inner join {{ propensities }} as propensities on reached.position = propensities.position
{% endif %}
    left join answered on reached.query_id = answered.query_id
    left join ranking_places as ranked on reached.query_id = ranked.query_id and reached.position = ranked.position
    left join {% if propensities %}documents{% else %}cells{% endif %} as known
        on ranked.query_id = known.query_id and ranked.doc_id = known.doc_id{% if not propensities %} and ranked.position = known.position{% endif +%}
),

sums as (
    select
        sum(traffic * shown) as shown_traffic,
        sum(case when rate is null then 0 else traffic * shown end) as supported,
        sum(traffic * shown * earns) as shown_earns,
        sum(case when rate is null then 0 else traffic * shown * earns end) as supported_earns,
        sum(case when rate is null then 0 else traffic * rate end) as earned,
        sum(case when rate is null then traffic * shown * coalesce(most, 1) else 0 end) as possible
    from places
),

-- the share that the log has shown often enough: places count by what their positions earn, or, where none earns anything,
-- by how many impressions reach them
shares as (
    select
        case
            when supported = shown_traffic and shown_traffic > 0 then 1.0
            else coalesce(supported_earns / nullif(shown_earns, 0), cast(supported as {{ double }}) / nullif(shown_traffic, 0))
        end as share
    from sums
),

-- what a place that the log has shown often enough counts for, by what stood there
weighed as (
    select
        query_id,
        doc_id,
{% if not propensities %}
        position,
{% endif %}
        sum(factor) as weight
    from places
    where rate is not null
    group by query_id, doc_id{% if not propensities %}, position{% endif +%}
),

-- what each impression counts for: the square of the sum of these weights over the sum of their squares is how many
-- impressions they are worth
weights as (
    select
        impressions.impression_id,
        coalesce(sum(weighed.weight), 0) as impression_weight
    from impressions
    left join weighed
        on impressions.query_id = weighed.query_id and impressions.doc_id = weighed.doc_id{% if not propensities %} and impressions.position = weighed.position{% endif +%}
    group by impressions.impression_id
),

counted as (
    select
        count(*) as impressions,
        sum(impression_weight) * sum(impression_weight) / nullif(sum(impression_weight * impression_weight), 0) as effective
    from weights
)

-- below {{ support | literal }} of support, or {{ least_effective }} effective impressions, there is no value
select
    {{ estimator | literal }} as estimator,
    case
        when faults.findings = 0 and shares.share >= {{ support | literal }} and counted.effective >= {{ least_effective }}
            then sums.earned / nullif(counted.impressions, 0)
    end as value,
    case when faults.findings = 0 then (sums.earned + sums.possible) / nullif(counted.impressions, 0) end as at_most,
    case when faults.findings = 0 then shares.share end as supported,
    counted.impressions
from sums
cross join shares
cross join counted
cross join faults

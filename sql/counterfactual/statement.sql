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

{% if propensities %}
-- each document wherever it stood: impressions, and clicks over looks
documents as (
    select
        cells.query_id,
        cells.doc_id,
        sum(cells.impressions) as impressions,
        cast(sum(cells.clicks) as {{ double }}) / sum(cells.impressions * propensities.propensity) as rate
    from cells
    inner join {{ propensities }} as propensities on cells.position = propensities.position
    group by cells.query_id, cells.doc_id
),
{% endif %}

-- the ranking that is valued
ranking_places as (
    select
        {{ run.query_id | ident }}{% if run.query_id != "query_id" %} as query_id{% endif %},
        {{ run.doc_id | ident }}{% if run.doc_id != "doc_id" %} as doc_id{% endif %},
        row_number() over (partition by {{ run.query_id | ident }} order by {% if run.rank %}{{ run.rank | ident }} asc{% else %}{{ run.score | ident }} desc{% endif %}, {{ run.doc_id | ident }} desc) as position
    from {{ run_relation }}
),

answered as (
    select distinct query_id
    from ranking_places
),

-- each place of it: what the log says it earns there, if it has shown that often enough
places as (
    select
        reached.traffic,
        reached.most,
        case when ranked.doc_id is null and answered.query_id is not null then 0 else 1 end as shown,
        case when known.impressions >= {{ fewest }} then {% if propensities %}known.rate * propensities.propensity{% else %}cast(known.clicks as {{ double }}) / known.impressions{% endif %} end as rate
    from reached
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
        sum(traffic * shown) as traffic,
        sum(case when rate is null then 0 else traffic * shown end) as supported,
        sum(case when rate is null then 0 else traffic * rate end) as earned,
        sum(case when rate is null then traffic * shown * coalesce(most, 1) else 0 end) as possible
    from places
)

-- below {{ support | literal }} of the traffic there is no value
select
    {{ estimator | literal }} as estimator,
    case when sums.supported >= {{ support | literal }} * sums.traffic then sums.earned / counted.impressions end as value,
    (sums.earned + sums.possible) / counted.impressions as at_most,
    cast(sums.supported as {{ double }}) / sums.traffic as supported,
    counted.impressions
from sums
cross join (
    select count(distinct impression_id) as impressions
    from impressions
) as counted

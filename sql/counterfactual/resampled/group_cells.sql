{# The cells of each group of units. #}
{% from "macros/hashing.sql" import group_of %}
select
    {{ group_of([unit, "impression_id"] if unit else ["impression_id"], seed, groups) }} as unit_group,
    query_id,
    doc_id,
    position,
    cast(count(*) as double) as impressions,
    cast(sum({{ reward | ident }}) as double) as rewards
from {{ impressions }}
group by all

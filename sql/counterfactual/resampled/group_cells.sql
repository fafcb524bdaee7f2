{# The cells of each group of units. #}
select
    hash({% if unit %}coalesce(cast({{ unit | ident }} as varchar), cast(impression_id as varchar)){% else %}cast(impression_id as varchar){% endif %}, {{ seed }}) % {{ groups }} as unit_group,
    query_id,
    doc_id,
    position,
    cast(count(*) as double) as impressions,
    cast(sum({{ reward | ident }}) as double) as rewards
from {{ impressions }}
group by all

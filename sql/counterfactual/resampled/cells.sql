{# The cells of each replicate. #}
select
    times.replicate,
    of_groups.query_id,
    of_groups.doc_id,
    of_groups.position,
    sum(times.times * of_groups.impressions) as impressions,
    sum(times.times * of_groups.rewards) as rewards
from {{ group_cells }} as of_groups
inner join {{ times }} as times on of_groups.unit_group = times.unit_group
group by all

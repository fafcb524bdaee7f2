{# How often each group stands in each replicate, of some of them. #}
{% from "macros/draws.sql" import times_of %}
{% from "macros/hashing.sql" import chance_of %}
select
    replicate,
    unit_group,
    impressions,
    times
from (
    select
        replicate,
        unit_group,
        impressions,
        {{ times_of() }} as times
    from (
        select
            replicates.replicate,
            of_groups.unit_group,
            of_groups.impressions,
            ({{ chance_of("replicate", ["unit_group"], seed) }} >> 17) & 1023 as bits
        from {{ unit_groups }} as of_groups
        cross join (
            select unnest(range({{ first }}, {{ last }})) as replicate
        ) as replicates
    ) as drawn
) as counted
where times > 0

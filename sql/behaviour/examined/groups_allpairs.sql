{# How far each of some groups of what is independent moves the sums of click rates. #}
{% from "macros/hashing.sql" import group_of %}
with
of_groups as (
    select
        {{ group_of([unit], 0, groups) }} as unit_group,
        query_id,
        doc_id,
        position,
        cast(count(*) as double) as impressions,
        cast(sum(clicked) as double) as clicks
    from {{ impressions }}
    group by all
)

select
    of_groups.unit_group,
    least(here.position, there.position) * 1000000 + greatest(here.position, there.position) as pair,
    here.position,
    0e0 as impressions,
    sum((of_groups.clicks - of_groups.impressions * here.clicks / here.impressions) / here.impressions) as clicks
from of_groups
inner join {{ cells }} as here
    on of_groups.query_id = here.query_id
    and of_groups.doc_id = here.doc_id
    and of_groups.position = here.position
inner join {{ cells }} as there
    on here.query_id = there.query_id
    and here.doc_id = there.doc_id
    and here.position <> there.position
group by of_groups.unit_group, here.position, there.position

{# Units in groups of chance, which are drawn together: how many impressions each has. #}
{% from "macros/hashing.sql" import group_of %}
select
    {{ group_of(["unit", "alone"], seed, groups) }} as unit_group,
    sum(impressions) as impressions
from {{ units }}
group by all

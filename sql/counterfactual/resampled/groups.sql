{# Units in groups of chance, which are drawn together: how many impressions each has. #}
select
    hash(coalesce(cast(unit as varchar), cast(alone as varchar)), {{ seed }}) % {{ groups }} as unit_group,
    sum(impressions) as impressions
from {{ units }}
group by all

{# The weights and the weighted rewards of each group of units by position. #}
{% from "macros/hashing.sql" import group_of %}
select
    {{ group_of([unit, "impression_id"] if unit else ["impression_id"], seed, groups) }} as unit_group,
    position,
    cast(count(*) as double) as places,
    sum(reward) as rewards{% for each in weightings %},
    sum(w_{{ each.number }}) as w_{{ each.number }},
    sum(w_{{ each.number }} * (reward{% if each.expects %} - q_{{ each.number }}{% endif %})) as wr_{{ each.number }}{% if each.expects %},
    sum(v_{{ each.number }} * e_{{ each.number }}) as ve_{{ each.number }},
    sum(case when position = earliest then e_{{ each.number }} else 0 end) as dm_{{ each.number }}{% endif %}{% endfor +%}
from {{ weighted }}
group by all

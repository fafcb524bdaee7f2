{# By position: how many places there are and what they earned, their weights, and what they earned by these; where rewards are expected, less those. #}
select
    position,
    cast(count(*) as double) as places,
    sum(reward) as rewards{% for each in weightings %},
    sum(w_{{ each.number }}) as w_{{ each.number }},
    sum(w_{{ each.number }} * w_{{ each.number }}) as ww_{{ each.number }},
    sum(w_{{ each.number }} * (reward{% if each.expects %} - q_{{ each.number }}{% endif %})) as wr_{{ each.number }},
    sum(w_{{ each.number }} * (reward{% if each.expects %} - q_{{ each.number }}{% endif %})) / nullif(sum(w_{{ each.number }}), 0) as rate_{{ each.number }},
    sum(raw_{{ each.number }}) as raw_{{ each.number }},
    count(*) filter (where raw_{{ each.number }} > w_{{ each.number }}) as clipped_{{ each.number }}{% endfor +%}
from {{ weighted }}
group by position
order by position asc

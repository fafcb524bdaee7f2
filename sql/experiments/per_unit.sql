{# The values of each unit that counts, as they are compared. #}
select
    cast(unit as varchar) as unit,
    arm as system,
{% for segment, name in named %}
    {{ segment | ident }} as {{ name | ident }},
{% endfor %}
{% for metric in metrics %}
    {{ (column ~ "_" ~ loop.index) | ident }} as {{ metric.text | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ units }}
where arm = last_arm
order by unit asc

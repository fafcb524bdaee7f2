-- how large the values of each metric are, over all systems together and at most
select
{% for columns in values %}
    {%+ for column in columns %}coalesce(sum(abs({{ column | ident }})), 0){% if not loop.last %} + {% endif %}{% endfor %} as size_{{ loop.index }},
    max(greatest({% for column in columns %}abs({{ column | ident }}){% if not loop.last %}, {% endif %}{% endfor %})) as largest_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ paired }}

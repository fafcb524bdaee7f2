-- the days of the baseline of each chart that varies, in their order, without the pattern of weekdays
select
{% for name in keys %}
    {{ name | ident }},
{% endfor %}
    list(value - expected + baseline_mean order by day asc) as days
from {{ chart }}
where is_baseline and direction = {{ direction | literal }} and baseline_deviation is not null
group by {% for name in keys %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
order by {% for name in keys %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}

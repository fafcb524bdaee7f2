{# The units with what each did before the experiment, by the same metrics: the mean of the others where it did nothing. #}
with
before as (
    select
        unit,
{% for metric in metrics %}
        {%+ if metric.summed %}cast(sum(total_{{ loop.index }}) as double){% else %}{{ exact_sum }}(total_{{ loop.index }}) / nullif(sum(count_{{ loop.index }}), 0){% endif %} as covariate_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ unit_days }}
    where unit is not null
        and is_before
    group by unit
),

joined as (
    select
        of_units.*,
{% for metric in metrics %}
        before.covariate_{{ loop.index }} as known_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ units }} as of_units
    left join before on of_units.unit = before.unit
    where of_units.arm = of_units.last_arm
),

means as (
    select
{% for metric in metrics %}
        coalesce({{ exact_sum }}(known_{{ loop.index }}) filter (where value_{{ loop.index }} is not null) / nullif(count(known_{{ loop.index }}) filter (where value_{{ loop.index }} is not null), 0), 0) as mean_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from joined
)

select
    joined.*,
{% for metric in metrics %}
    coalesce(joined.known_{{ loop.index }}, means.mean_{{ loop.index }}) - means.mean_{{ loop.index }} as covariate_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from joined
cross join means

{# The measures of each replicate, of weights by position. #}
{% macro value_of(term) %}
{%- if term.kind == "shown" %}rewards
{%- elif term.kind == "dm" %}dm_{{ term.weighting }}
{%- else %}
{%- if term.normalised %}coalesce(places * wr_{{ term.weighting }} / nullif(w_{{ term.weighting }}, 0), 0){% else %}wr_{{ term.weighting }}{% endif %}{% if term.expects %} + ve_{{ term.weighting }}{% endif %}
{%- endif %}
{%- endmacro %}
with
sizes as (
    select
        replicate,
        cast(sum(times * impressions) as double) as impressions
    from {{ times }}
    group by replicate
),

positions as (
    select
        times.replicate,
        of_groups.position,
        sum(times.times * of_groups.places) as places,
        sum(times.times * of_groups.rewards) as rewards{% for each in weightings %},
        sum(times.times * of_groups.w_{{ each.number }}) as w_{{ each.number }},
        sum(times.times * of_groups.wr_{{ each.number }}) as wr_{{ each.number }}{% if each.expects %},
        sum(times.times * of_groups.ve_{{ each.number }}) as ve_{{ each.number }},
        sum(times.times * of_groups.dm_{{ each.number }}) as dm_{{ each.number }}{% endif %}{% endfor +%}
    from {{ group_positions }} as of_groups
    inner join {{ times }} as times on of_groups.unit_group = times.unit_group
    group by times.replicate, of_groups.position
)

select
    positions.replicate{% for measure in measures %},
    sum({% for term in measure.terms %}{% if not loop.first %} + {% endif %}{% if term.scale != 1 %}{{ term.scale | literal }} * {% endif %}({{ value_of(term) }}){% endfor %}) / any_value(sizes.impressions) as x_{{ measure.number }}{% endfor +%}
from positions
inner join sizes on positions.replicate = sizes.replicate
group by positions.replicate

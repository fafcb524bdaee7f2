{# The sums of each measure over the units, and how much units differ: by how much each moves the measure where it is left out,
   as the jackknife weighs it, with the sizes of the units as they are. #}
{% macro left_out(value, size) -%}
sum(power((of_units.{{ value | ident }} - sums.{{ value | ident }} / sums.{{ size | ident }} * of_units.{{ size | ident }}) * sums.impressions / nullif(sums.impressions - of_units.impressions, 0), 2)) * (count(*) - 1) / count(*)
{%- endmacro %}
with
sums as (
    select
        sum(impressions) as impressions,
        sum(places) as places{% for measure in measures %},
        sum(x_{{ measure.number }}) as x_{{ measure.number }}{% if measure.weighs %},
        sum(w_{{ measure.number }}) as w_{{ measure.number }}{% endif %}{% if measure.balances %},
        sum(g_{{ measure.number }}) as g_{{ measure.number }}{% endif %}{% endfor +%}
    from {{ units }}
)

select
    count(*) as units,
    any_value(sums.impressions) as impressions,
    power(any_value(sums.impressions), 2) / sum(power(of_units.impressions, 2)) as effective,
    any_value(sums.places) as places{% for measure in measures %},
    any_value(sums.x_{{ measure.number }}) as x_{{ measure.number }},
    {{ left_out("x_" ~ measure.number, "impressions") }} as spread_{{ measure.number }}{% if measure.weighs %},
    any_value(sums.w_{{ measure.number }}) as w_{{ measure.number }},
    sum(of_units.ww_{{ measure.number }}) as ww_{{ measure.number }},
    max(of_units.most_{{ measure.number }}) as most_{{ measure.number }}{% endif %}{% if measure.balances %},
    any_value(sums.g_{{ measure.number }}) as g_{{ measure.number }},
    {{ left_out("g_" ~ measure.number, "places") }} as weight_spread_{{ measure.number }}{% endif %}{% endfor +%}
from {{ units }} as of_units
cross join sums

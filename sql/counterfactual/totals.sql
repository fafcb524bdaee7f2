{# The sums of each measure over the units, and how much units differ: those that vary together with the sizes of the units. #}
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
    any_value(sums.places) as places{% for measure in measures %},
    any_value(sums.x_{{ measure.number }}) as x_{{ measure.number }},
    sum(power(of_units.x_{{ measure.number }} - sums.x_{{ measure.number }} / sums.impressions * of_units.impressions, 2)) as spread_{{ measure.number }}{% if measure.weighs %},
    any_value(sums.w_{{ measure.number }}) as w_{{ measure.number }},
    sum(of_units.ww_{{ measure.number }}) as ww_{{ measure.number }},
    max(of_units.most_{{ measure.number }}) as most_{{ measure.number }}{% endif %}{% if measure.balances %},
    any_value(sums.g_{{ measure.number }}) as g_{{ measure.number }},
    sum(power(of_units.g_{{ measure.number }} - sums.g_{{ measure.number }} / sums.places * of_units.places, 2)) as weight_spread_{{ measure.number }}{% endif %}{% endfor +%}
from {{ units }} as of_units
cross join sums

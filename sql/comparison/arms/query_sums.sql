{# Sums over the queries of both sides, those that are gone and those that are new, and the products of their units. #}
-- the queries of either side: what they weigh, and their mean
with

{% include "comparison/arms/rows.sql" %}
queries as (
    select
        query_id,
        min(unit) as unit,
{% for side in [0, 1] %}
        sum(case when side = {{ side }} then weight else 0 end) as weight_{{ side }},
        sum(case when side = {{ side }} then weight * value else 0 end) as total_{{ side }},
        max(case when side = {{ side }} then 1 else 0 end) as is_in_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
    from centred
    group by query_id
),

-- of the queries of both: what either weight makes of the difference of their values, and of the middle of them
kinds as (
    select
        unit,
        is_in_0,
        is_in_1,
        weight_0,
        total_0,
        weight_1,
        total_1,
        case when is_in_1 = 0 then weight_0 else 0 end as gone_weight,
        case when is_in_1 = 0 then total_0 else 0 end as gone_total,
        case when is_in_0 = 0 then weight_1 else 0 end as new_weight,
        case when is_in_0 = 0 then total_1 else 0 end as new_total,
{% for side in [0, 1] %}
        case when is_in_0 + is_in_1 = 2 then weight_{{ side }} else 0 end as both_weight_{{ side }},
        case when is_in_0 + is_in_1 = 2 then weight_{{ side }} * (total_1 / weight_1 - total_0 / weight_0) else 0 end as moved_{{ side }},
        case when is_in_0 + is_in_1 = 2 then weight_{{ side }} * (total_1 / weight_1 + total_0 / weight_0) / 2 else 0 end as middle_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
    from queries
),

units as (
    select
        unit,
        sum(is_in_0 * is_in_1) as queries_both,
        sum(is_in_0 * (1 - is_in_1)) as queries_gone,
        sum(is_in_1 * (1 - is_in_0)) as queries_new,
{% for name in names %}
        sum({{ name }}) as {{ name }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from kinds
    group by unit
)

select
    sum(queries_both) as queries_both,
    sum(queries_gone) as queries_gone,
    sum(queries_new) as queries_new,
{% for name in names %}
    {{ exact_sum }}({{ name }}) as sum_{{ loop.index0 }},
{% endfor %}
{% for one in names %}
{% set outer = loop %}
{% for other in names %}
{% if loop.index0 >= outer.index0 %}
    {{ exact_sum }}({{ one }} * {{ other }}) as product_{{ outer.index0 }}_{{ loop.index0 }}{% if not (loop.last and outer.last) %},{% endif +%}
{% endif %}
{% endfor %}
{% endfor %}
from units

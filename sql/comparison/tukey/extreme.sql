-- for each pair of systems, how many ranges are as large as its difference, and the range that few are larger than
with

observed as (
    select
        scope,
        sum(queries) as queries,
{% for columns in values %}
{% set metric = loop.index %}
        sum(weight_{{ metric }}) as weight_{{ metric }},
{% for column in columns %}
        sum(value_{{ loop.index0 }}_{{ metric }}) as value_{{ loop.index0 }}_{{ metric }},
{% endfor %}
{% endfor %}
        count(*) as circles
    from {{ circles }}
    where distance = 0
    group by scope
)

{% for pair in pairs %}
-- a sum that is off by no more than what was rounded counts as equal
select
    {{ loop.index }} as pair,
    observed.scope as scope,
    sum(case when ranges.range_{{ pair.metric }} >= abs(observed.value_{{ pair.other }}_{{ pair.metric }} - observed.value_{{ pair.one }}_{{ pair.metric }}) - observed.queries then 1 else 0 end) as extreme,
    quantile_disc(ranges.range_{{ pair.metric }}, {{ confidence | literal }}) / {{ scales[pair.metric - 1] | literal }} / nullif(max(observed.weight_{{ pair.metric }}), 0) as least
from {{ ranges }} as ranges
inner join observed
    on ranges.scope = observed.scope
group by observed.scope
{% if not loop.last %}

union all

{% endif %}
{% endfor %}

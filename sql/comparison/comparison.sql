-- means, spread, wins and losses for each candidate, metric and segment; segment 0 is the total
with

{% set more = true %}
{% include "steps/differences.sql" %}
scoped as (
    select
        pair,
        0 as scope,
{% for segment in segments %}
        cast(null as {{ text }}) as segment_{{ loop.index }},
{% endfor %}
        weight,
        baseline_value,
        value,
        difference
    from differences
{% if segments %}

    union all

    select
        pair,
        scope,
{% for segment in segments %}
        segment_{{ loop.index }},
{% endfor %}
        weight,
        baseline_value,
        value,
        difference
    from differences
{% endif %}
),

totals as (
    select
        pair,
        scope,
{% for segment in segments %}
        max(segment_{{ loop.index }}) as segment_{{ loop.index }},
{% endfor %}
        count(*) as queries,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(weight * baseline_value) / nullif({{ exact_sum }}(weight), 0) as baseline_value,
        {{ exact_sum }}(weight * value) / nullif({{ exact_sum }}(weight), 0) as value,
        {{ exact_sum }}(weight * difference) / nullif({{ exact_sum }}(weight), 0) as difference,
        sum(case when difference > {{ tolerance | literal }} then 1 else 0 end) as wins,
        sum(case when difference < -{{ tolerance | literal }} then 1 else 0 end) as losses
    from scoped
    group by pair, scope
),

-- the weighted square distances from the mean, for the standard error of a ratio and for the standard deviation
spreads as (
    select
        totals.pair as pair,
        totals.scope as scope,
        {{ exact_sum }}(power(scoped.weight * (scoped.difference - totals.difference), 2)) as squares,
        {{ exact_sum }}(scoped.weight * power(scoped.difference - totals.difference, 2)) as spread
    from scoped
    inner join totals
        on scoped.pair = totals.pair and scoped.scope = totals.scope
    group by totals.pair, totals.scope
)

select
    totals.pair,
    totals.scope,
{% for segment in segments %}
    totals.segment_{{ loop.index }},
{% endfor %}
    totals.queries,
    totals.baseline_value,
    totals.value,
    totals.difference,
    sqrt(spreads.squares * totals.queries / nullif(totals.queries - 1, 0)) / nullif(totals.weight, 0) as stderr,
    sqrt(spreads.spread / nullif(totals.weight, 0) * totals.queries / nullif(totals.queries - 1, 0)) as deviation,
    totals.wins,
    totals.losses
from totals
inner join spreads
    on totals.pair = spreads.pair and totals.scope = spreads.scope
order by totals.pair, totals.scope

-- for every segment and in total: how many verdicts are what, their weighted difference, and how far queries lie from it
with

-- every verdict as a number, with its weight
weighed as (
    select
        cast(query_id as {{ text }}) as query_id,
{% for segment in segments %}
        cast({{ segment | ident }} as {{ text }}) as {{ segment | ident }},
{% endfor %}
        {%+ if weighted %}cast(weight as {{ double }}){% else %}1.0{% endif %} as weight,
        preference
    from {{ verdicts }}
),

-- one row per query: its verdicts, what they weigh, and the squares of their weights
queries as (
    select
        query_id,
{% for segment in segments %}
        {{ segment | ident }},
{% endfor %}
        sum(case when preference = 1 then 1 else 0 end) as good,
        sum(case when preference = 0 then 1 else 0 end) as same,
        sum(case when preference = -1 then 1 else 0 end) as bad,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(weight * preference) as difference,
        {{ exact_sum }}(case when preference = 1 then weight * weight else 0 end) as squares_good,
        {{ exact_sum }}(case when preference = 0 then weight * weight else 0 end) as squares_same,
        {{ exact_sum }}(case when preference = -1 then weight * weight else 0 end) as squares_bad
    from weighed
    group by query_id{% for segment in segments %}, {{ segment | ident }}{% endfor %}

),

{% if segments %}
-- every query twice: in its segment, and in the total
scoped as (
{% for is_total in [false, true] %}
    select
{% for segment in segments %}
        {%+ if is_total %}null as {% endif %}{{ segment | ident }},
{% endfor %}
        {{ is_total | literal }} as is_total,
        good,
        same,
        bad,
        weight,
        difference,
        squares_good,
        squares_same,
        squares_bad
    from queries
{% if not is_total %}

    union all

{% endif %}
{% endfor %}
),

{% endif %}
-- the sums over queries, and the difference for each unit of weight; what is left of weights that cancel is 0
totals as (
    select
{% for segment in segments %}
        {{ segment | ident }},
{% endfor %}
{% if segments %}
        is_total,
{% endif %}
        sum(good) as good,
        sum(same) as same,
        sum(bad) as bad,
        sum(case when weight > 0 then 1 else 0 end) as queries,
        {{ exact_sum }}(weight) as weight,
        case
            when abs({{ exact_sum }}(difference)) > 1e-12 * {{ exact_sum }}(weight) then {{ exact_sum }}(difference) / {{ exact_sum }}(weight)
            when {{ exact_sum }}(weight) > 0 then 0
        end as delta_gsb,
        {{ exact_sum }}(squares_good) as squares_good,
        {{ exact_sum }}(squares_same) as squares_same,
        {{ exact_sum }}(squares_bad) as squares_bad,
        {{ exact_sum }}(weight * weight) as squares_queries
    from {% if segments %}scoped{% else %}queries{% endif %}

{% if segments %}
    group by {% for segment in segments %}{{ segment | ident }}, {% endfor %}is_total
{% endif %}
),

-- how far each query lies from what its weight lets expect: the squares, and the products with the weight
spreads as (
    select
{% for segment in segments %}
        totals.{{ segment | ident }},
{% endfor %}
{% if segments %}
        totals.is_total,
{% endif %}
        {{ exact_sum }}(power(queries.difference - totals.delta_gsb * queries.weight, 2)) as residual_squares,
        {{ exact_sum }}((queries.difference - totals.delta_gsb * queries.weight) * queries.weight) as residual_products
    from {% if segments %}scoped as {% endif %}queries
{% if segments %}
    inner join totals
        on
            queries.is_total = totals.is_total
{% for segment in segments %}
            and queries.{{ segment | ident }} is not distinct from totals.{{ segment | ident }}
{% endfor %}
    group by {% for segment in segments %}totals.{{ segment | ident }}, {% endfor %}totals.is_total
{% else %}
    cross join totals
{% endif %}
)

select
{% for segment in segments %}
    totals.{{ segment | ident }},
{% endfor %}
    {%+ if segments %}totals.is_total{% else %}true as is_total{% endif %},
    totals.good,
    totals.same,
    totals.bad,
    totals.queries,
    totals.weight,
    totals.delta_gsb,
    totals.squares_good,
    totals.squares_same,
    totals.squares_bad,
    totals.squares_queries,
    spreads.residual_squares,
    spreads.residual_products
from totals
{% if segments %}
inner join spreads
    on
        totals.is_total = spreads.is_total
{% for segment in segments %}
        and totals.{{ segment | ident }} is not distinct from spreads.{{ segment | ident }}
{% endfor %}
{% else %}
cross join spreads
{% endif %}

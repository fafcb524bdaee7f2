{# The moments of a weighted mean over independent units, sum(y) / sum(weight), where y is what a unit adds with its weight in it.
   Its variance is that of the jackknife, which leaves out one unit after the other: also right where units have unlike weights.
   B. Efron and C. Stein, The jackknife estimate of variance, The Annals of Statistics 9, 1981. #}

{# Names with commas between them, as columns of a step. #}
{% macro columns(names, step=none) -%}
{% for name in names %}{% if step %}{{ step | ident }}.{% endif %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor %}
{%- endmacro %}

{# The same in lines of their own, each with a comma after it. #}
{% macro scope_of(scope, step=none) %}
{% for name in scope %}
        {%+ if step %}{{ step | ident }}.{% endif %}{{ name | ident }},
{% endfor %}
{% endmacro %}

{% macro grouped(names) %}
{% if names %}
    group by {{ columns(names) }}
{% endif %}
{% endmacro %}

{# Beside each row of a step what another step has of its scope, where nothing is a scope too. #}
{% macro joined(step, other, scope, alias=none) %}
{% set name = alias or other %}
{% if scope %}
inner join {{ other | ident }}{% if alias %} as {{ alias | ident }}{% endif +%}
    on
{% for column in scope %}
        {%+ if not loop.first %}and {% endif %}({{ step | ident }}.{{ column | ident }} = {{ name | ident }}.{{ column | ident }} or ({{ step | ident }}.{{ column | ident }} is null and {{ name | ident }}.{{ column | ident }} is null))
{% endfor %}
{% else %}
cross join {{ other | ident }}{% if alias %} as {{ alias | ident }}{% endif +%}
{% endif %}
{% endmacro %}

{# The columns of moments, in addition to the mean. #}
{% set sums_of_moments = ["units", "weight", "squared_weights", "heaviest", "difference", "squared_differences", "weighted_differences", "squared_moves"] %}

{# Steps that end in one of the name `moments`: of each scope how many units have a weight, their mean, and the sums that its
   uncertainty is made of. `units` is a step with the scope, and of each unit its weight and its difference, which is y. #}
{% macro moments_of(units, scope, moments="moments") %}
{% set sums, moves, squares = moments ~ "_sums", moments ~ "_moves", moments ~ "_squares" %}
-- the sums over the units, and their mean; what is left of weights that cancel is 0
{{ sums | ident }} as (
    select
{{ scope_of(scope) }}        sum(case when weight > 0 then 1 else 0 end) as units,
        cast({{ exact_sum }}(weight) as {{ double }}) as weight,
        cast({{ exact_sum }}(weight * weight) as {{ double }}) as squared_weights,
        cast(max(weight) as {{ double }}) as heaviest,
        cast({{ exact_sum }}(difference) as {{ double }}) as difference,
        cast({{ exact_sum }}(difference * difference) as {{ double }}) as squared_differences,
        cast({{ exact_sum }}(difference * weight) as {{ double }}) as weighted_differences,
        case
            when abs({{ exact_sum }}(difference)) > 1e-12 * {{ exact_sum }}(weight)
                then cast({{ exact_sum }}(difference) as {{ double }}) / {{ exact_sum }}(weight)
            when {{ exact_sum }}(weight) > 0 then 0
        end as mean
    from {{ units | ident }}
{{ grouped(scope) }}),

-- by how much the mean moves without each of them
{{ moves | ident }} as (
    select
{{ scope_of(scope, "sums") }}        (units.difference - sums.mean * units.weight) / nullif(sums.weight - units.weight, 0) as moved
    from {{ units | ident }} as units
    {{ joined("units", sums, scope, "sums") | indent -}}
),

{{ squares | ident }} as (
    select
{{ scope_of(scope) }}        {{ exact_sum }}(moved * moved) as squared_moves
    from {{ moves | ident }}
{{ grouped(scope) }}),

{{ moments | ident }} as (
    select
        sums.*,
        squares.squared_moves
    from {{ sums | ident }} as sums
    {{ joined("sums", squares, scope, "squares") | indent -}}
)
{%- endmacro %}

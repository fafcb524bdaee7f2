{% macro grouped_by(names) %}
{% if names + segments %}
    group by {% for name in names + segments %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
{% endif %}
{% endmacro %}
{# The segments, each with a comma after it, as the first columns of a step. #}
{% macro segments_of(step=none) %}
{% for segment in segments %}{% if step %}{{ step | ident }}.{% endif %}{{ segment | ident }}, {% endfor %}
{% endmacro %}
{% macro joined(step, other) %}
{% if segments %}
inner join {{ other | ident }}
    on
{% for segment in segments %}
        {%+ if not loop.first %}and {% endif %}{{ step | ident }}.{{ segment | ident }} is not distinct from {{ other | ident }}.{{ segment | ident }}
{% endfor %}
{% else %}
cross join {{ other | ident }}
{% endif %}
{% endmacro %}
{# How many verdicts are what, and what they weigh. #}
{% macro sums_of_verdicts() %}
sum(good) as good,
        sum(same) as same,
        sum(bad) as bad,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(squares) as squares,
        {{ exact_sum }}(undecided) as undecided
{%- endmacro %}
{% macro residuals(step) %}
    select
        {{ segments_of('totals') }}{{ step | ident }}.weight,
        ({{ step | ident }}.difference - totals.delta_gsb * {{ step | ident }}.weight) / nullif(1 - {{ step | ident }}.weight / totals.weight, 0) as residual
    from {{ step | ident }}
    {{ joined(step, 'totals') | indent -}}
{% endmacro %}
{% macro spread(step, clusters) %}
    select
        {{ segments_of() }}sum(case when weight > 0 then 1 else 0 end) as {{ clusters | ident }},
        {{ exact_sum }}(weight * weight) as {{ ('squares_' ~ clusters) | ident }},
        {{ exact_sum }}(residual * residual) as {{ ('residual_squares_' ~ clusters) | ident }}
    from {{ step | ident }}
{{ grouped_by([]) -}}
{% endmacro %}
{% set by_cell = raters and documents %}
{% set unit = 'cells' if by_cell else 'weighed' %}
-- {% if segments %}for every segment{% else %}in total{% endif %}: how many verdicts are what, their weighted difference, and how far the queries{% if raters %} and the raters{% endif %} lie from it
with

-- every verdict as a number
numbered as {{ inline }}(
    select
        cast(query_id as {{ text }}) as query_id,
{% for name in segments + (['rater'] if raters else []) %}
        cast({{ name | ident }} as {{ text }}) as {{ name | ident }},
{% endfor %}
        cast({% if weighted %}weight{% else %}1{% endif %} as {{ double }}) as weight,
        preference
    from {{ verdicts }}
),

{% if weighted %}
-- the largest weight, which counts as 1: the squares of weights in a unit of their own may be too large or too small
heaviest as (
    select {{ segments_of() }}max(weight) as largest
    from numbered
{{ grouped_by([]) -}}
),

{% endif %}
-- every verdict with its weight
weighed as {{ inline }}(
    select
        {{ segments_of('numbered') }}numbered.query_id,
{% if raters %}
        numbered.rater,
{% endif %}
        case when numbered.preference = 1 then 1 else 0 end as good,
        case when numbered.preference = 0 then 1 else 0 end as same,
        case when numbered.preference = -1 then 1 else 0 end as bad,
{% set weight %}{% if weighted %}coalesce(numbered.weight / nullif(heaviest.largest, 0), 0){% else %}numbered.weight{% endif %}{% endset %}
        {{ weight }} as weight,
        {{ weight }} * {{ weight }} as squares,
        case when numbered.preference = 0 then {{ weight }} else 0 end as undecided,
        {{ weight }} * numbered.preference as difference
    from numbered
{% if weighted %}
    {{ joined('numbered', 'heaviest') | indent -}}
{% endif %}
),

{% if by_cell %}
-- one row for what one rater says of one query
cells as (
    select
        {{ segments_of() }}query_id,
        rater,
        {{ sums_of_verdicts() }},
        {{ exact_sum }}(difference) as difference
    from weighed
{{ grouped_by(['query_id', 'rater']) -}}
),

{% endif %}
-- one row per query: its verdicts, what they weigh{% if raters %}, and squares of what one rater says of it{% endif +%}
queries as (
    select
        {{ segments_of() }}query_id,
        {{ sums_of_verdicts() }},
        {{ exact_sum }}(difference) as difference{% if raters %},
        {{ exact_sum }}(weight * weight) as squared_cells,
        {{ exact_sum }}(weight * difference) as products,
        {{ exact_sum }}(difference * difference) as differences{% endif +%}
    from {{ unit | ident }}
{{ grouped_by(['query_id']) -}}
),

{% if raters %}
-- one row per rater: what the verdicts weigh
raters as (
    select
        {{ segments_of() }}rater,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(difference) as difference
    from {{ unit | ident }}
{{ grouped_by(['rater']) -}}
),

{% endif %}
-- the sums over queries, and the difference for each unit of weight; what is left of weights that cancel is 0
totals as (
    select
        {{ segments_of() }}{{ sums_of_verdicts() }},
        case
            when abs({{ exact_sum }}(difference)) > 1e-12 * {{ exact_sum }}(weight) then {{ exact_sum }}(difference) / {{ exact_sum }}(weight)
            when {{ exact_sum }}(weight) > 0 then 0
        end as delta_gsb{% if raters %},
        {{ exact_sum }}(squared_cells) as squared_cells,
        {{ exact_sum }}(products) as products,
        {{ exact_sum }}(differences) as differences{% endif %}{% if sequential %},
        {{ exact_sum }}(difference) as difference,
        {{ exact_sum }}(difference * difference) as squared_differences,
        {{ exact_sum }}(difference * weight) as weighted_differences,
        {{ exact_sum }}(weight * weight) as squared_weights,
        max(weight) as heaviest{% endif +%}
    from queries
{{ grouped_by([]) -}}
),

-- how far each query lies from what its weight lets expect, for each unit of the weight that the others have
query_residuals as (
{{ residuals('queries') -}}
),

query_spread as (
{{ spread('query_residuals', 'queries') -}}
){% if raters %},

-- the same of each rater
rater_residuals as (
{{ residuals('raters') -}}
),

rater_spread as (
{{ spread('rater_residuals', 'raters') -}}
){% endif +%}

select
    totals.*
{%- for step, clusters in [('query_spread', 'queries'), ('rater_spread', 'raters')][:2 if raters else 1] %}
{% for sum in ['', 'squares_', 'residual_squares_'] %}
,
    {{ step | ident }}.{{ (sum ~ clusters) | ident }}
{%- endfor %}
{% endfor +%}
from totals
{{ joined('totals', 'query_spread') -}}
{% if raters %}
{{ joined('totals', 'rater_spread') -}}
{% endif %}

{% from "macros/moments.sql" import grouped, joined, moments_of, scope_of, sums_of_moments %}
{# How many verdicts are what, and what they weigh. #}
{% macro sums_of_verdicts() %}
sum(good) as good,
        sum(same) as same,
        sum(bad) as bad,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(squares) as squares,
        {{ exact_sum }}(undecided) as undecided
{%- endmacro %}
{% set clusters = ['queries', 'raters'] if raters else ['queries'] %}
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
    select
{{ scope_of(segments) }}        max(weight) as largest
    from numbered
{{ grouped(segments) }}),

{% endif %}
-- every verdict with its weight
weighed as {{ inline }}(
    select
{{ scope_of(segments, "numbered") }}        numbered.query_id,
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
    {{ joined("numbered", "heaviest", segments) | indent -}}
{% endif %}
),

{% if by_cell %}
-- one row for what one rater says of one query
cells as (
    select
{{ scope_of(segments) }}        query_id,
        rater,
        {{ sums_of_verdicts() }},
        {{ exact_sum }}(difference) as difference
    from weighed
{{ grouped(segments + ['query_id', 'rater']) }}),

{% endif %}
-- one row per query: its verdicts, what they weigh{% if raters %}, and squares of what one rater says of it{% endif +%}
queries as (
    select
{{ scope_of(segments) }}        query_id,
        {{ sums_of_verdicts() }},
        {{ exact_sum }}(difference) as difference{% if raters %},
        {{ exact_sum }}(weight * weight) as squared_cells,
        {{ exact_sum }}(weight * difference) as products,
        {{ exact_sum }}(difference * difference) as differences{% endif +%}
    from {{ unit | ident }}
{{ grouped(segments + ['query_id']) }}),

{% if raters %}
-- one row per rater: what the verdicts weigh
raters as (
    select
{{ scope_of(segments) }}        rater,
        {{ exact_sum }}(weight) as weight,
        {{ exact_sum }}(difference) as difference
    from {{ unit | ident }}
{{ grouped(segments + ['rater']) }}),

{% endif %}
-- what the verdicts come to
totals as (
    select
{{ scope_of(segments) }}        {{ sums_of_verdicts() }}{% if raters %},
        {{ exact_sum }}(squared_cells) as squared_cells,
        {{ exact_sum }}(products) as products,
        {{ exact_sum }}(differences) as differences{% endif +%}
    from queries
{{ grouped(segments) }}),

{% for step in clusters %}
{{ moments_of(step, segments, "of_" ~ step) }}{% if not loop.last %},{% endif +%}

{% endfor %}
select
    totals.*,
    of_queries.mean as delta_gsb{% for step in clusters %}{% for name in sums_of_moments %},
    {{ ("of_" ~ step) | ident }}.{{ name | ident }} as {{ (name ~ "_" ~ step) | ident }}{% endfor %}{% endfor +%}
from totals
{% for step in clusters %}
{{ joined("totals", "of_" ~ step, segments) -}}
{% endfor %}

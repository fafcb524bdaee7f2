{# How many votes each ranker has, and the moments of the votes of what is independent. #}
{% from "macros/moments.sql" import grouped, joined, moments_of, scope_of, sums_of_moments %}
{% set scope = ["pair"] + segments %}
with
units as (
    select
        *,
        votes as weight
    from {{ votes }}
),

totals as (
    select
{{ scope_of(scope) }}        sum(wins_a) as wins_a,
        sum(wins_b) as wins_b,
        sum(votes) - sum(wins_a) - sum(wins_b) as ties,
        sum(without_clicks) as without_clicks
    from units
{{ grouped(scope) }}),

{{ moments_of("units", scope) }}

select
    totals.*,
{% for name in sums_of_moments %}
    moments.{{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from totals
{{ joined("totals", "moments", scope) -}}
order by {% for segment in segments %}totals.{{ segment | ident }}, {% endfor %}totals.pair

{% from "macros/ranking.sql" import discounted, gain_of, places_to %}
{% set pad %}    {% endset %}
{% set largest %}largest.gain{% endset %}
-- the discounted gain of a ranking with the largest gain of {% if top_relevance is none %}all judgments{% else %}the scale{% endif %} at every place
{{ ideal.rows | ident }} as (
    select
{% for total in ideal.totals %}
        sum(case when places.place <= {{ total.k }} then {{ discounted(largest, "place", total.discount) }} else 0 end) as {{ total.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from (
        {{ places_to(ideal.k, pad) }}
    ) as places
    cross join (
        select max({{ gain_of(ideal.gain) }}) as gain
        from {% if top_relevance is none %}judged{% else %}(select cast({{ top_relevance | literal }} as {{ double }}) as relevance) as scale{% endif +%}
    ) as largest
),

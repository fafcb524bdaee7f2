{% from "macros/ranking.sql" import discounted, gain_of, has_gain, order_of_gains, places_to, worth_of %}
{# The discounted gain of a place: computed beforehand where several sums are made of it. #}
{% macro share_of(ideal, total) %}
{% if ideal.discount %}discounted_gain{% else %}{{ discounted(worth_of(ideal.gain), "ideal_rank", total.discount) }}{% endif %}
{% endmacro %}
{% set pad %}    {% endset %}
{% set largest %}largest.gain{% endset %}
{% for ideal in ideals if not united %}
{% set key %}{% if ideal.kind == "retrieved" %}{{ keys }}{% else %}query_id{% endif %}{% endset %}
{% if ideal.kind == "full" %}
-- the discounted gain of a ranking with the largest gain of {% if top_relevance is none %}all judgments{% else %}the scale{% endif %} at every place
{{ ideal.rows | ident }} as (
    select
{% for total in ideal.totals %}
        sum(case when places.place <= {{ total.k }} then {{ discounted(largest, "place", total.discount) }} else 0 end) as {{ total.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from (
        {{ places_to(ideal.k, pad) }}
    ) as places
    cross join (
        select max({{ gain_of(ideal.gain) }}) as gain
        from {% if top_relevance is none %}judged{% else %}(select cast({{ top_relevance | literal }} as {{ double }}) as relevance) as scale{% endif %}

    ) as largest
),
{% else %}
{% if ideal.totals %}
-- the discounted gain of {% if ideal.kind == "retrieved" %}what was found{% else %}the judgments{% endif %} in the best order
{{ ideal.rows | ident }} as (
{% set between %}{% if ideal.totals[1] is defined %}

        {%+ else %} {% endif %}{% endset %}
    select{{ between }}{{ key }},{% for total in ideal.totals %}{{ between }}sum({% if total.k != ideal.k %}case when ideal_rank <= {{ total.k }} then {% endif %}{{ share_of(ideal, total) }}{% if total.k != ideal.k %} else 0 end{% endif %}) as {{ total.name | ident }}{% if not loop.last %},{% endif %}{% endfor %}

{% set heaped = heaps and ideal.k and ideal.k <= 100 and ideal.gain.kind != "table" %}
{% set inset %}{% if ideal.discount %}        {% else %}    {% endif %}{% endset %}
    from (
{% if ideal.discount %}
        select {{ key }}, {{ discounted(worth_of(ideal.gain), "ideal_rank", ideal.discount) }} as discounted_gain, ideal_rank
        from (
{% endif %}
{% if heaped %}
    {{ inset }}select {{ key }}, unnest(max(relevance, {{ ideal.k }})) as relevance, generate_subscripts(max(relevance, {{ ideal.k }}), 1) as ideal_rank
{% else %}
    {{ inset }}select {{ key }}, relevance, row_number() over (partition by {{ key }} order by {{ order_of_gains(ideal.gain) }} desc) as ideal_rank
{% endif %}
    {{ inset }}from {% if ideal.kind == "retrieved" %}scored{% else %}judged{% endif %}

    {{ inset }}where {{ has_gain(ideal.gain) }}
{% if heaped %}
    {{ inset }}group by {{ key }}
{% endif %}
{% if ideal.discount %}
        ) as ordered
{% endif %}
    ) as places
{% if ideal.k and not heaped %}
    where ideal_rank <= {{ ideal.k }}
{% endif %}
    group by {{ key }}
),
{% endif %}
{% if ideal.name %}
-- the judgments in their best order
{{ ideal.rows | ident }} as (
    select
        query_id,
        {{ worth_of(ideal.gain) }} as {{ ideal.name | ident }},
{% if ideal.step %}
        case
            when {{ gain_of(ideal.gain) }} = lead({{ gain_of(ideal.gain) }}) over (partition by query_id order by {{ order_of_gains(ideal.gain) }} desc) then 0
            else 1
        end as {{ ideal.step | ident }},
{% endif %}
        row_number() over (partition by query_id order by {{ order_of_gains(ideal.gain) }} desc) as place
    from judged
    where {{ has_gain(ideal.gain) }}
),
{% endif %}
{% endif %}
{% endfor %}

{% from "macros/ranking.sql" import discounted, gain_of, has_gain, order_of_gains, places_to, worth_of %}
{% set gain %}gain{% endset %}
{# The largest gains, each discounted by its place among them. #}
{% macro best_gains(ideal, discount, gain) %}
{% set gains %}max({{ worth_of(ideal.gain) }}, {{ ideal.k }}){% endset %}
{%+ if discount == "none" %}{{ gains }}{% else %}list_transform({{ gains }}, lambda gain, place: {{ discounted(gain, "place", discount) }}){% endif %} as {{ ("gains_" ~ discount) | ident }}
{%- endmacro %}
{% set pad %}    {% endset %}
{% set largest %}largest.gain{% endset %}
{% for ideal in ideals if not united %}
{% set key %}{% if ideal.kind == "retrieved" %}{{ keys }}{% else %}query_id{% endif %}{% endset %}
{% if ideal.kind == "full" %}
-- the discounted gain of a ranking with the largest gain of all judgments at every place
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
        from judged
    ) as largest
),
{% else %}
{% if ideal.totals %}
-- the discounted gain of {% if ideal.kind == "retrieved" %}what was found{% else %}the judgments{% endif %} in the best order
{% if heaps and ideal.k and ideal.k <= 100 %}
{{ ideal.rows | ident }} as (
    select
        {{ key }},
{% for total in ideal.totals %}
        list_sum({{ ("gains_" ~ total.discount) | ident }}{% if total.k != ideal.k %}[:{{ total.k }}]{% endif %}) as {{ total.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from (
        select
            {{ key }},
{% for discount in ideal.discounts %}
            {{ best_gains(ideal, discount, gain) }}{% if not loop.last %},{% endif %}

{% endfor %}
        from {% if ideal.kind == "retrieved" %}scored{% else %}judged{% endif %}

        where {{ has_gain(ideal.gain) }}
        group by {{ key }}
    ) as best
),
{% else %}
{{ ideal.rows | ident }} as (
    select {{ key }}, {% for total in ideal.totals %}{% if not loop.first %},
        {%+ endif %}sum({% if total.k != ideal.k %}case when ideal_rank <= {{ total.k }} then {% endif %}{{ discounted(worth_of(ideal.gain), "ideal_rank", total.discount) }}{% if total.k != ideal.k %} else 0 end{% endif %}) as {{ total.name | ident }}{% endfor %}

    from (
        select {{ key }}, relevance, row_number() over (partition by {{ key }} order by {{ order_of_gains(ideal.gain) }} desc) as ideal_rank
        from {% if ideal.kind == "retrieved" %}scored{% else %}judged{% endif %}

        where {{ has_gain(ideal.gain) }}
    ) as places
{% if ideal.k %}
    where ideal_rank <= {{ ideal.k }}
{% endif %}
    group by {{ key }}
),
{% endif %}
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

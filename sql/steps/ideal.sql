{% from "macros/ranking.sql" import discounted, gain_of, has_gain, order_of_gains, places_to, worth_of %}
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
{{ ideal.rows | ident }} as (
    select {{ key }}, {% for total in ideal.totals %}{% if not loop.first %},
        {%+ endif %}sum({% if total.k != ideal.k %}case when ideal_rank <= {{ total.k }} then {% endif %}{{ discounted(worth_of(ideal.gain), "ideal_rank", total.discount) }}{% if total.k != ideal.k %} else 0 end{% endif %}) as {{ total.name | ident }}{% endfor %}

{% set heaped = heaps and ideal.k and ideal.k <= 100 and ideal.gain.kind != "table" %}
    from (
{% if heaped %}
        select {{ key }}, unnest(max(relevance, {{ ideal.k }})) as relevance, generate_subscripts(max(relevance, {{ ideal.k }}), 1) as ideal_rank
{% else %}
        select {{ key }}, relevance, row_number() over (partition by {{ key }} order by {{ order_of_gains(ideal.gain) }} desc) as ideal_rank
{% endif %}
        from {% if ideal.kind == "retrieved" %}scored{% else %}judged{% endif %}

        where {{ has_gain(ideal.gain) }}
{% if heaped %}
        group by {{ key }}
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

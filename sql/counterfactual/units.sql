{# What each unit counts for in each measure, and the weights of its impressions. A unit that is not known is its impression. #}
select
{% if unit %}
    {{ unit | ident }} as unit,
    case when {{ unit | ident }} is null then impression_id end as alone,
{% else %}
    impression_id as unit,
    null as alone,
{% endif %}
    cast(count(*) as double) as impressions,
    cast(sum(places) as double) as places{% for measure in measures %},
    sum(x_{{ measure.number }}) as x_{{ measure.number }}{% if measure.weighs %},
    sum(w_{{ measure.number }}) as w_{{ measure.number }},
    sum(w_{{ measure.number }} * w_{{ measure.number }}) as ww_{{ measure.number }},
    max(w_{{ measure.number }}) as most_{{ measure.number }}{% endif %}{% if measure.balances %},
    sum(g_{{ measure.number }}) as g_{{ measure.number }}{% endif %}{% endfor +%}
from (
    select
        impression_id,
{% if unit %}
        any_value({{ unit | ident }}) as {{ unit | ident }},
{% endif %}
        sum(places) as places{% for measure in measures %},
        sum(x_{{ measure.number }}) as x_{{ measure.number }}{% if measure.weighs %},
        sum(w_{{ measure.number }}) as w_{{ measure.number }}{% endif %}{% if measure.balances %},
        sum(g_{{ measure.number }}) as g_{{ measure.number }}{% endif %}{% endfor +%}
    from {{ scored }}
    group by impression_id
) as of_impressions
group by all

{# The sums of each pair, and what makes Student's t of them whatever the signs; scope 0 is the total. #}
-- the sums that were observed in each segment, and in the total, which is segment 0, and how large squares are
observed as (
{% for total in scopes %}
    select
        {%+ if total %}0{% else %}scope{% endif %} as scope,
{% for number in pairs %}
        sum(case when weight_{{ number }} > 0 then 1 else 0 end) as units_{{ number }},
        sum(difference_{{ number }} * difference_{{ number }}) as squares_{{ number }},
        sum(difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ scaled }}
{% if not total %}
    group by scope
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
)

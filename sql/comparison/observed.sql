{# The sums that were observed; scope 0 is the total. With `squares` also what makes Student's t of a sum. #}
-- the sums that were observed in each segment, and in the total, which is segment 0
observed as (
{% for total in scopes %}
    select
        {%+ if total %}0{% else %}scope{% endif %} as scope,
{% for number in pairs %}
        sum({% if clustered %}rounded_{{ number }}{% else %}case when difference_{{ number }} <> 0 then 1 else 0 end{% endif %}) as changed_{{ number }},
        sum(case when difference_{{ number }} <> 0 then 1 else 0 end) as units_{{ number }},
{% if squares %}
        sum(case when weight_{{ number }} > 0 then 1 else 0 end) as size_{{ number }},
        sum(difference_{{ number }} * difference_{{ number }}) as squares_{{ number }},
{% endif %}
{% if number in weighing %}
        sum(weight_{{ number }}) as weight_{{ number }},
{% endif %}
        sum(difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ scaled }}
{% if not total %}
    group by scope
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
){% if more %},{% endif +%}


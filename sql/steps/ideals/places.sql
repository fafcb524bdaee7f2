{% from "macros/ranking.sql" import has_gain, order_of_gains, worth_of %}
-- the judgments in their best order
{{ ideal.rows | ident }} as (
    select
        query_id,
        {{ worth_of(ideal.gain) }} as {{ ideal.name | ident }},
{% if ideal.step %}
        case
            when {{ worth_of(ideal.gain) }} = lead({{ worth_of(ideal.gain) }}) over (partition by query_id order by {{ order_of_gains(ideal.gain) }} desc) then 0
            else 1
        end as {{ ideal.step | ident }},
{% endif %}
        row_number() over (partition by query_id order by {{ order_of_gains(ideal.gain) }} desc) as place
    from judged
    where {{ has_gain(ideal.gain) }}
),

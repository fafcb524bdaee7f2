{# The votes of what is independent of each other: whom each {{ unit }} of it gave more. #}
{% from "macros/logs.sql" import day_of_time %}
{% set scope %}{% for segment in segments %}{{ segment | ident }}, {% endfor %}{% endset %}
with
units as (
    select
{% for segment in segments %}
        {%+ if segment == "day" %}{{ day_of_time("time") }} as {% endif %}{{ segment | ident }},
{% endfor %}
{% if unit != "user" %}
        {{ (unit ~ "_id") | ident }},
{% endif %}
        {%+ if cluster == "impression_id" %}null{% else %}{{ cluster | ident }}{% endif %} as known,
        {%+ if cluster == "impression_id" %}impression_id{% else %}case when {{ cluster | ident }} is null then impression_id end{% endif %} as alone,
{% for team in teams %}
        sum({{ ("credit_" ~ loop.index) | ident }}) as {{ ("credit_" ~ loop.index) | ident }},
{% endfor %}
        max(happened) as happened
    from {{ credits }}
    where broken = 0
    group by all
),

-- what rounding leaves of credits is no vote
votes as (
{% for a, b in pairs %}
{% set more %}{{ ("credit_" ~ a) | ident }} - {{ ("credit_" ~ b) | ident }}{% endset %}
    select
        {{ loop.index }} as pair,
        {{ scope }}known,
        alone,
        happened,
        case when happened = 1 and abs({{ more }}) > 1e-9 then sign({{ more }}) else 0 end as vote
    from units
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
)

select
    pair,
    {{ scope }}known,
    alone,
    cast(sum(happened) as bigint) as votes,
    cast(sum(vote) as bigint) as difference,
    count(*) filter (where vote > 0) as wins_a,
    count(*) filter (where vote < 0) as wins_b,
    count(*) filter (where happened = 0) as without_clicks
from votes
group by all

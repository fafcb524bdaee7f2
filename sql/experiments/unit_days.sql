{# What each unit did on each day and in each arm: sums over its impressions, from which the values of units are made. #}
{% from "macros/logs.sql" import day_of_time, time_of %}
with
impressions as (
    select
        impression_id,
        min({{ unit | ident }}) as unit,
{% if unit != "impression_id" %}
        max({{ unit | ident }}) as last_unit,
{% endif %}
{% if coarse %}
        min({{ coarse | ident }}) as coarse,
{% endif %}
        min({{ arm | ident }}) as arm,
        max({{ arm | ident }}) as last_arm,
{% if timed %}
        min(time) as time,
{% endif %}
{% for segment in segments %}
        min({{ segment | ident }}) as {{ segment | ident }},
        max({{ segment | ident }}) as last_{{ segment | ident }},
{% endfor %}
        count(*) as shown,
        sum(clicked) as clicks,
        min(case when clicked = 1 then position end) as first_click,
{% if waits %}
        min(case when clicked = 1 then click_time end) as click_time,
{% endif %}
        max(was_clicked) as was_clicked
    from {{ impressions }}
    group by impression_id
),

described as (
    select
        unit,
        {%+ if unit != "impression_id" %}case when unit is distinct from last_unit then 1 else 0 end{% else %}0{% endif %} as is_mixed,
{% if coarse %}
        coarse,
{% endif %}
        cast(arm as varchar) as arm,
        cast(last_arm as varchar) as last_arm,
        {%+ if timed %}{{ day_of_time("time") }}{% else %}cast(null as date){% endif %} as day,
{% for segment in segments %}
        cast({{ segment | ident }} as varchar) as {{ segment | ident }},
        cast(last_{{ segment | ident }} as varchar) as last_{{ segment | ident }},
{% endfor %}
        shown,
        clicks,
        first_click,
{% if waits %}
        epoch({{ time_of("click_time") }}) - epoch({{ time_of("time") }}) as seconds,
        case when epoch({{ time_of("click_time") }}) >= epoch({{ time_of("time") }}) then epoch({{ time_of("click_time") }}) - epoch({{ time_of("time") }}) end as waited,
        case when clicks > 0 and epoch({{ time_of("time") }}) % 86400 = 0 then 1 else 0 end as is_at_midnight,
{% endif %}
        was_clicked
    from impressions
)

select
    unit,
    arm,
    day,
    {%+ if before %}day < cast({{ before | literal }} as date){% else %}false{% endif %} as is_before,
    max(last_arm) as last_arm,
{% if coarse %}
    min(coarse) as coarse,
{% endif %}
{% for segment in segments %}
    min({{ segment | ident }}) as {{ segment | ident }},
    max(last_{{ segment | ident }}) as last_{{ segment | ident }},
{% endfor %}
    count(*) as impressions,
    sum(is_mixed) as mixed,
    sum(was_clicked) as clicked,
{% if waits %}
    sum(case when clicks > 0 then 1 else 0 end) as waiting,
    sum(case when seconds < 0 then 1 else 0 end) as backwards,
    sum(case when clicks > 0 and seconds is null then 1 else 0 end) as timeless,
    sum(is_at_midnight) as at_midnight,
{% endif %}
{% for metric in metrics %}
    {{ exact_sum }}({{ metric.expression }}) as total_{{ loop.index }},
    count({{ metric.expression }}) as count_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from described
group by unit, arm, day, is_before

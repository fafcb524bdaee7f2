{% from "macros/intervals.sql" import end_of, means, method_of %}
-- the summary with the ends of the interval of each mean, cut to the range of its metric, and whose interval it is
with

summed as (
    {{ means(summary, overall if has_overall) }}
),

methods as (
    select
        summed.*,
        critical.critical as critical,
        1 + skewness * (critical.critical - skewness / 6) as low_cube,
        1 - skewness * (critical.critical + skewness / 6) as high_cube,
        {{ method_of(tolerated, steady) }} as method
    from summed
    left join {{ critical }} as critical
        on summed.effective - 1 = critical.degrees
),

ends as (
    select
        *,
        {{ end_of(-1, z, "low_cube") }} as low,
        {{ end_of(1, z, "high_cube") }} as high
    from methods
){% if labels %},{% endif +%}

{% if labels %}
-- the mean over the draws of the labels, next to that of the labels as they are
drawn as (
    select
        ends.*,
        {%+ if unknown %}case when not list_contains({{ unknown | literal }}, ends.metric) then coalesce(parts.label_stderr, 0) end{% else %}coalesce(parts.label_stderr, 0){% endif %} as label_stderr,
        coalesce(parts.label_shift, 0) as label_shift,
        ends.value + coalesce(parts.label_shift, 0) as centre
    from ends
    left join {{ labels }} as parts
        on
            ends.system = parts.system
            and ends.metric = parts.metric
{% for segment in segments %}
            and ends.{{ segment.alias | ident }} is not distinct from parts.{{ segment.alias | ident }}
{% endfor %}
{% if segments %}
            and ends.is_total = parts.is_total
{% endif %}
),

-- both parts of the interval together, around both means: neither is right for every ranking
combined as (
    select
        *,
        case
            when label_stderr = 0 then low
            else least(value, centre) - sqrt(power(value - low, 2) + power({{ z | literal }} * label_stderr, 2))
        end as total_low,
        case
            when label_stderr = 0 then high
            else greatest(value, centre) + sqrt(power(high - value, 2) + power({{ z | literal }} * label_stderr, 2))
        end as total_high
    from drawn
)

{% endif %}
{% set low, high = ("total_low", "total_high") if labels else ("low", "high") %}
-- rounding leaves a mean inside its interval
select
    *,
    case when {{ low | ident }} is not null then least(value, greatest({{ low | ident }}{% if ranges %}, case metric {% for metric, least, most in ranges %}when {{ metric | literal }} then {{ least | literal }} {% endfor %}end{% endif %})) end as ci_low,
    case when {{ high | ident }} is not null then greatest(value, least({{ high | ident }}{% if ranges %}, case metric {% for metric, least, most in ranges %}when {{ metric | literal }} then {{ most | literal }} {% endfor %}end{% endif %})) end as ci_high
from {% if labels %}combined{% else %}ends{% endif +%}

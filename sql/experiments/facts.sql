{# What does not count in an experiment: impressions that name no unit, arm or day, and those of several units. #}
select
    sum(impressions) as impressions,
    coalesce(sum(impressions) filter (where unit is null), 0) as without_unit,
    coalesce(sum(impressions) filter (where arm is null and is_before = false), 0) as without_arm,
    coalesce(sum(impressions) filter (where is_before is null), 0) as without_day,
    coalesce(sum(impressions) filter (where is_before), 0) as before,
    coalesce(sum(impressions) filter (where is_before = false), 0) as since,
    sum(mixed) as mixed,
{% for name in ["waiting", "backwards", "timeless", "at_midnight"] if waits %}
    sum({{ name | ident }}) as {{ name | ident }},
{% endfor %}
    cast(max(day) filter (where arm is null) as varchar) as last_without_arm,
    cast(min(day) filter (where arm is not null) as varchar) as first_with_arm,
    cast(min(day) as varchar) as first_day,
    cast(max(day) as varchar) as last_day,
    count(distinct arm) filter (where is_before) as arms_before,
    list(distinct arm order by arm asc) filter (where is_before and arm is not null) as names_before
from {{ unit_days }}

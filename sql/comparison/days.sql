-- how much the days of a period differ, and the queries of a day, of those that have one day; of queries that come again every
-- day, how far each is from its own mean
with
{% if days %}
valued as (
    select
{% for column in columns %}
        measured.{{ column | ident }} as value_{{ loop.index }},
{% endfor %}
        days.day as day
    from {{ per_query }} as measured
    inner join {{ days }} as days on cast(measured.query_id as varchar) = days.query_id
    where days.day is not null
),

{% else %}
measured as (
    select
        *,
        count(*) over (partition by query_id) as often
    from {{ per_query }}
),

valued as (
    select
        query_id,
{% for column in columns %}
        {{ column | ident }} - case when often > 1 then avg({{ column | ident }}) over (partition by query_id) else 0 end as value_{{ loop.index }},
{% endfor %}
        {{ day | ident }} as day,
        often
    from measured
    qualify often > 1 or max(often) over () = 1
),

-- how many means of queries were taken off, but for that of all
taken as (
    select
{% for column in columns %}
        case when max(often) > 1 then count(distinct case when value_{{ loop.index }} is not null then query_id end) - 1 else 0 end as taken_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from valued
),

{% endif %}
of_days as (
    select
        day{% for column in columns %},
        count(value_{{ loop.index }}) as queries_{{ loop.index }},
        avg(value_{{ loop.index }}) as mean_{{ loop.index }},
        coalesce(var_pop(value_{{ loop.index }}), 0) * count(value_{{ loop.index }}) as within_{{ loop.index }}{% endfor +%}
    from valued
    group by day
),

means as (
    select
        {% for column in columns %}sum(queries_{{ loop.index }} * mean_{{ loop.index }}) / nullif(sum(queries_{{ loop.index }}), 0) as mean_{{ loop.index }}{% if not loop.last %}, {% endif %}{% endfor +%}
    from of_days
)

{% for column in columns %}
select
    {{ loop.index }} as measure,
    count(*) as days,
{% if days %}
    (select count(*) from {{ days }} as days where days.day is null) as several,
{% else %}
    0 as several,
{% endif %}
    sum(of_days.queries_{{ loop.index }}) as queries,
    {%+ if days %}0{% else %}any_value(taken.taken_{{ loop.index }}){% endif %} as taken,
    sum(of_days.within_{{ loop.index }}) as within_days,
    sum(of_days.queries_{{ loop.index }} * power(of_days.mean_{{ loop.index }} - means.mean_{{ loop.index }}, 2)) as between_days
from of_days
cross join means
{% if not days %}
cross join taken
{% endif %}
where of_days.queries_{{ loop.index }} > 0
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
order by measure asc

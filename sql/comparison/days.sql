-- how much the days of a period differ, and the queries of a day, of those that have one day; of queries that come again every
-- day, how far each is from its own mean
with
measured as (
    select
        measured.query_id as query_id,
        {%+ if days %}days.day{% else %}measured.{{ day | ident }}{% endif %} as day,
{% for column in columns %}
        measured.{{ column | ident }} as value_{{ loop.index }},
{% endfor %}
        count(*) over (partition by measured.query_id) as often
    from {{ per_query }} as measured
{% if days %}
    inner join {{ days }} as days on cast(measured.query_id as varchar) = days.query_id
    where days.day is not null
{% endif %}
),

valued as (
    select
        query_id,
        day,
{% for column in columns %}
        value_{{ loop.index }} - case when often > 1 then avg(value_{{ loop.index }}) over (partition by query_id) else 0 end as value_{{ loop.index }},
{% endfor %}
        often
    from measured
    qualify often > 1 or max(often) over () = 1
),

of_days as (
    select
        day{% for column in columns %},
        count(value_{{ loop.index }}) as queries_{{ loop.index }},
        avg(value_{{ loop.index }}) as mean_{{ loop.index }},
        coalesce(var_pop(value_{{ loop.index }}), 0) * count(value_{{ loop.index }}) as within_{{ loop.index }}{% endfor +%}
    from valued
    group by day
),

-- how many means of queries were taken off, but for that of all
taken as (
    select
{% for column in columns %}
        case when max(often) > 1 then count(distinct case when value_{{ loop.index }} is not null then query_id end) - 1 else 0 end as taken_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from valued
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
    any_value(taken.taken_{{ loop.index }}) as taken,
    sum(of_days.within_{{ loop.index }}) as within_days,
    sum(of_days.queries_{{ loop.index }} * power(of_days.mean_{{ loop.index }} - means.mean_{{ loop.index }}, 2)) as between_days
from of_days
cross join means
cross join taken
where of_days.queries_{{ loop.index }} > 0
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
order by measure asc

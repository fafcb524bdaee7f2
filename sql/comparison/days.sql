-- how much the days of a period differ, and the queries of a day, of those that have one day
with
of_days as (
    select
        days.day as day{% for column in columns %},
        count(measured.{{ column | ident }}) as queries_{{ loop.index }},
        avg(measured.{{ column | ident }}) as mean_{{ loop.index }},
        coalesce(var_pop(measured.{{ column | ident }}), 0) * count(measured.{{ column | ident }}) as within_{{ loop.index }}{% endfor +%}
    from {{ per_query }} as measured
    inner join {{ days }} as days on cast(measured.query_id as varchar) = days.query_id
    where days.day is not null
    group by days.day
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
    (select count(*) from {{ days }} as days where days.day is null) as several,
    sum(of_days.queries_{{ loop.index }}) as queries,
    sum(of_days.within_{{ loop.index }}) as within_days,
    sum(of_days.queries_{{ loop.index }} * power(of_days.mean_{{ loop.index }} - means.mean_{{ loop.index }}, 2)) as between_days
from of_days
cross join means
where of_days.queries_{{ loop.index }} > 0
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
order by measure asc

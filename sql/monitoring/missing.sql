-- the days between the first and the last of each chart that have no value
with

spans as (
    select
        {% for name in keys %}{{ name | ident }}, {% endfor %}direction,
        unnest(generate_series(cast(min(day) as timestamp), cast(max(day) as timestamp), interval 1 day)) as day
    from {{ chart }}
    group by {% for name in keys %}{{ name | ident }}, {% endfor %}direction
)

select
    cast(spans.day as date) as day,
    count(*) as charts
from spans
left join {{ chart }} as charted
    on
{% for name in keys %}
        charted.{{ name | ident }} is not distinct from spans.{{ name | ident }} and
{% endfor %}
        charted.direction = spans.direction and charted.day = spans.day
where charted.day is null
group by spans.day
order by spans.day asc

-- the days of rows that lie within the days of some judgments, the first ones, and how many there are
with days as (
    select distinct
        coalesce(
            try_cast({{ day }} as date),
            cast(try_cast(cast({{ day }} as varchar) as timestamp) as date),
            cast(try_strptime(cast({{ day }} as varchar), '%Y%m%d') as date)
        ) as day
    from {{ relation }}
{% if condition %}
    where {{ condition }}
{% endif %}
)

select
    list(cast(day as varchar) order by day asc)[:{{ shown }}] as days,
    count(*) as number
from days
where
{% for first, last in spans %}
    {% if not loop.first %}or {% endif %}day between cast({{ first | literal }} as date) and cast({{ last | literal }} as date)
{% endfor %}

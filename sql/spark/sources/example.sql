{# Spark numbers rows within its partitions, which follow the order of a file: those before an example are counted. #}
with

placed as (
    select
        *,
        monotonically_increasing_id() as sqlrank_place
    from {{ relation }}
),

example as (
    select *
    from placed
    where {{ condition }}
    order by sqlrank_place asc
    limit 1
)

select
{% for column in columns %}
    cast(max(example.{{ column | ident }}) as string) as {{ column | ident }},
{% endfor %}
    count(*) as place_in_input
from placed
cross join example
where placed.sqlrank_place <= example.sqlrank_place

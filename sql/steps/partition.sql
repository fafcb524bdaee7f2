{% if partition %}
-- the first partition of the run that the table does not hold yet
next_partition as (
    select min({{ partition.column | ident }}) as first_one
    from {{ partition.relation }}
    where
        (select count(*) from {{ partition.table }}) = 0
        or {{ partition.column | ident }} > (select max({{ partition.column | ident }}) from {{ partition.table }})
    having min({{ partition.column | ident }}) is not null
),
-- its rows
partition_rows as (
    select every_row.*
    from {{ partition.relation }} as every_row
    inner join next_partition
        on every_row.{{ partition.column | ident }} = next_partition.first_one
),
{% endif %}

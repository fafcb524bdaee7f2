{% from "macros/partitions.sql" import alike, unheld with context %}
{% if partition %}
{% set ds %}every_row.{{ partition.column | ident }}{% endset %}
{% if partition.replaced is none and not partition.looped %}
-- the first partition of the run that the table does not hold yet{% if several %}, of some system{% endif +%}
next_partition as (
    select min({{ ds }}) as first_one
{{ unheld(true) }}
    having min({{ ds }}) is not null{% if not testing %} and {{ alike() }}{% endif +%}
),
{% else %}
-- the partition of the run that is made{% if not partition.looped %} again{% endif +%}
next_partition as (
    select min({{ ds }}) as first_one
    from {{ partition.relation }} as every_row
    where cast({{ ds }} as {{ text }}){{ bytewise }} = {% if partition.looped %}{{ partition.looped.partition }}{% else %}{{ partition.replaced | literal }}{% endif +%}
    having min({{ ds }}) is not null{% if partition.replaced is not none and not testing %} and {{ alike() }}{% endif +%}
),
{% endif %}
{% if several and partition.adds %}
{% if partition.looped %}
{{ partition.looped.if_held }}
{% endif %}
-- the systems that the table holds of it
held_systems as (
    select system
    from {{ partition.table }}
    inner join next_partition
        on {{ partition.column | ident }} = next_partition.first_one
    where system is not null
    group by system
),
{% if partition.looped %}
{{ partition.looped.otherwise }}
-- no system of it is left out
held_systems as (
    select cast(null as {{ text }}) as system
    from next_partition
    where 1 = 0
),
{{ partition.looped.ending }}
{% endif %}
{% endif %}
-- its rows
partition_rows as (
    select every_row.*
    from {{ partition.relation }} as every_row
    where {{ ds }} = (select next_partition.first_one from next_partition)
),
{% for each in partition.cut %}
-- {{ each.title }}
{{ each.rows }} as (
    select every_row.*
    from {{ each.relation }} as every_row
    where cast(every_row.{{ each.column | ident }} as {{ text }}){{ bytewise }} = (
        select cast(next_partition.first_one as {{ text }}){{ bytewise }}
        from next_partition
    )
),
{% endfor %}
{% endif %}

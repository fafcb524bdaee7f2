{% from "macros/ranking.sql" import id_of %}
{% if partition %}
{% set ds %}every_row.{{ partition.column | ident }}{% endset %}
{% for case in partition.cases %}
{% if case.condition %}
{{ case.condition }}
{% endif %}
{% if case.replaced is not none %}
-- the partition of the run that is made again
next_partition as (
    select min({{ ds }}) as first_one
    from {{ partition.relation }} as every_row
    where cast({{ ds }} as {{ text }}){{ bytewise }} = {{ case.replaced | literal }}
    having min({{ ds }}) is not null
),
{% else %}
{% set known = [] %}
{% if partition.judgments and query_set == "shared" %}
{% set known = partition.ids or partition.own %}
{% elif partition.judgments and query_set == "judged" %}
{% set known = partition.own %}
{% endif %}
-- the {% if case.last %}last{% else %}first{% endif %} partition of the run{% if known %} that has judgments{% if case.held %} and{% endif %}{% elif case.held %} that{% endif %}{% if case.held %} the table does not hold yet{% if several %}, of some system{% endif %}{% endif +%}
next_partition as (
    select {% if case.last %}max{% else %}min{% endif %}({{ ds }}) as first_one
    from {{ partition.relation }} as every_row
{% if known %}
    inner join (
        select distinct
{% for pair in known %}
            {{ id_of(pair[1]) }} as {{ ("known_part_" ~ loop.index) | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
        from {{ partition.judgments }}
{% if partition.relevance %}
        where {{ partition.relevance | ident }} is not null
{% endif %}
    ) as known
        on
{% for pair in known %}
            {%+ if not loop.first %}and {% endif %}cast(every_row.{{ pair[0] | ident }} as {{ text }}){{ bytewise }} = {{ ("known_part_" ~ loop.index) | ident }}
{% endfor %}
{% endif %}
{% if case.held %}
    left join (
        select distinct
            {{ partition.column | ident }} as held_partition{% if several %},
            system as held_system{% endif +%}
        from {{ partition.table }}
{% if partition.system is not none %}
        where system = {{ partition.system | literal }}
{% endif %}
    ) as held
        on {{ ds }} = held_partition{% if several %} and cast(every_row.{{ run.system | ident }} as {{ text }}){{ bytewise }} = held_system{% endif +%}
{% endif %}
    where
        {%+ if case.held %}held_partition is null{% else %}{{ ds }} is not null{% endif +%}
{% if not partition.made %}
        and every_row.{{ run.score | ident }} is not null
{% if labelled and query_set != "run" %}
        and every_row.{{ run.relevance | ident }} is not null
{% endif %}
{% if partition.where %}
        and (
            {{ partition.where }}
        )
{% endif %}
{% endif %}
    having min({{ ds }}) is not null
),
{% endif %}
{% if several and case.held and case.replaced is none %}
-- the systems that the table holds of it
held_systems as (
    select system
    from {{ partition.table }}
    inner join next_partition
        on {{ partition.column | ident }} = next_partition.first_one
    where system is not null
    group by system
),
{% elif several and partition.ending and not case.last %}
-- no system of it is left out
held_systems as (
    select cast(null as {{ text }}) as system
    from next_partition
    where 1 = 0
),
{% endif %}
{% endfor %}
{% if partition.ending %}
{{ partition.ending }}
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

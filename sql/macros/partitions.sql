{# Which partitions a table is to hold: the rows of the run that it does not hold yet, or all; imported with the context. #}
{% from "macros/ranking.sql" import id_of %}
{% from "macros/refusals.sql" import refused %}
{# That the table holds rows of no other definition, or an error. #}
{% macro alike() %}
(
        select
            {{ refused(mixing, partition.mixed) }}
        from {{ partition.table }}
        where sqlrank_definition is null or sqlrank_definition <> {{ partition.definition | literal }}
    ) = 0
{%- endmacro %}
{% set mixing %}count(*) > 0{% endset %}

{% macro unheld(held) %}
{% set ds %}every_row.{{ partition.column | ident }}{% endset %}
{% set known = [] %}
{% if partition.judgments and query_set == "shared" %}
{% set known = partition.ids or partition.own %}
{% elif partition.judgments and query_set == "judged" %}
{% set known = partition.own %}
{% endif %}
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
{% if held %}
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
        {%+ if held %}held_partition is null and {% endif %}{{ ds }} is not null
{% if partition.until %}
        and {{ ds }} < (
            {{ partition.until }}
        )
{% endif %}
{% if partition.batch %}
        and {{ ds }} between cast({{ partition.batch.first }} as date) and cast({{ partition.batch.last }} as date)
{% endif %}
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
{%- endmacro %}

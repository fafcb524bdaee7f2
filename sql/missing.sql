{# The partitions that a model of dbt is to make, in their order; behind a sign,
   so that dbt takes none for a number or a day. #}
{% from "macros/partitions.sql" import unheld with context %}
{% set ds %}every_row.{{ partition.column | ident }}{% endset %}
select '=' || cast({{ ds }} as {{ text }}) as missing
{% if partition.batch %}
{{ unheld(false) }}
{% else %}
{{ partition.looped.if_held }}
{{ unheld(true) }}
{{ partition.looped.otherwise }}
{{ unheld(false) }}
{{ partition.looped.ending }}
{% endif %}
group by {{ ds }}
order by {{ ds }} asc

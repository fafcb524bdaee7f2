{# A day whose rows in the table go, and which no rows take the place of. #}
{% from "macros/partitions.sql" import unheld with context %}
{% set ds %}{{ partition.column | ident }}{% endset %}
select '=' || min(cast({{ ds }} as {{ text }})) as forgotten
from {{ table }}
where
    {{ ds }} between cast({{ partition.batch.first_gone }} as date) and cast({{ partition.batch.last_gone }} as date)
    and coalesce(sqlrank_built, '') <> {{ partition.batch.invocation }}
    and {{ ds }} not in (
        select every_row.{{ ds }}
{{ unheld(false) }}
    )

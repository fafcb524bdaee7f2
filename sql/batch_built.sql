{# The days that this invocation of dbt built, or else the last one, which the gates look at too. #}
{% set ds %}{{ partition.column | ident }}{% endset %}
select '=' || cast({{ ds }} as {{ text }}) as missing
from {{ table }}
where
    sqlrank_built = {{ partition.batch.invocation }}
    or (
        {{ ds }} = (select max({{ ds }}) from {{ table }})
        and not exists (select 1 from {{ table }} where sqlrank_built = {{ partition.batch.invocation }})
    )
group by {{ ds }}
order by {{ ds }} asc

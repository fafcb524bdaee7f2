{% from "macros/steps.sql" import carried, run_keys, with_scores with context %}
-- the queries that have results
found_queries as (
    select {{ run_keys(true) -}}
{%- for column in run.carried %}
, max({{ carried(column) }}) as {{ column.alias | ident }}
{%- endfor %}
{%- if returned_read %}
, count(*) as returned
{%- endif %}

    from {{ run.relation }}
    {{ with_scores() }}
    group by {{ run_keys() }}
),

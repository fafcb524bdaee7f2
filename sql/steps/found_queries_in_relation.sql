{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import carried, with_scores with context %}
-- the queries that have results
found_queries as (
    select {% for key in key_names %}{{ id_of(run[key]) }} as {{ key | ident }}{% if not loop.last %}, {% endif %}{% endfor %}
{%- for column in run.carried %}
, max({{ carried(column) }}) as {{ column.alias | ident }}
{%- endfor %}
{%- if returned_read %}
, count(*) as returned
{%- endif %}

    from {{ run.relation }}
    {{ with_scores() }}
    group by {% for key in key_names %}{{ id_of(run[key]) }}{% if not loop.last %}, {% endif %}{% endfor +%}
),

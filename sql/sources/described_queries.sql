{% from "macros/ranking.sql" import id_of %}
-- rows of queries with what a table says of each query
select
{% for name, given in columns.items() %}
    {%+ if given %}described{% else %}rows{% endif %}.{{ name | ident }} as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from ({{ rows }}) as rows
left join (
    select
        {{ id_of(id) }} as sqlrank_id{% for name, given in columns.items() if given %},
        {{ given | ident }} as {{ name | ident }}{% endfor +%}
    from {{ reader }}
) as described
    on rows.query_id = described.sqlrank_id
order by case rows.system{% for name in systems %} when {{ name | literal }} then {{ loop.index }}{% endfor %} end, rows.query_id

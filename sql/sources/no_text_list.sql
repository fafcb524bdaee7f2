{% from "macros/text_lists.sql" import parts_of %}
{# The first row whose text is no list, in a column where texts are. #}
select
    place_in_input,
    value
from (
    select
        {{ column.name | ident }} as value,
        row_number() over () as place_in_input
    from {{ reader }}
)
where
    value is not null
{% if column.structure %}
    and coalesce(json_type(case when json_valid(value) then value end), '') <> 'ARRAY'
{% else %}
    and ({{ parts_of(sql_value, patterns) }}) is null
{% endif %}
order by place_in_input
limit 1

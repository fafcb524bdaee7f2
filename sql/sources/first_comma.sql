{# The first row whose value has a comma, and that value. #}
select
    place as row_number,
    trim(value) as value
from (
    select
        {{ name | ident }} as value,
        row_number() over () as place
    from {{ reader }}
)
where contains(value, ',')
order by place asc
limit 1

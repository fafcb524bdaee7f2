{# The settings of a connection under which the same SQL has another meaning. #}
select
    name,
    value
from duckdb_settings()
where
    (name = 'integer_division' and lower(value) = 'true')
    or (name = 'default_order' and lower(value) not like 'asc%')
    or (name = 'default_collation' and value <> '')
    or (name = 'dialect_compatibility_mode' and lower(value) <> 'none')
order by name asc

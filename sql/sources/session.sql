{# The settings of a connection under which the same SQL has another meaning. It calls no function: a caller may have one of
   that name. #}
select
    name,
    value
from duckdb_settings()
where
    (name = 'integer_division' and value not in ('false', 'False', '0'))
    or (name = 'default_order' and value not in ('ASCENDING', 'ASC', 'ascending', 'asc'))
    or (name = 'default_collation' and value <> '')
    or (name = 'dialect_compatibility_mode' and value not in ('NONE', 'none'))
order by name asc

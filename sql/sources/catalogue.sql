select
    database_name,
    schema_name,
    table_name
from (
    select
        database_name,
        schema_name,
        table_name
    from duckdb_tables()
    union all
    select
        database_name,
        schema_name,
        view_name as table_name
    from duckdb_views()
    where not internal
)
where database_name = {{ database | literal }}
order by schema_name asc, table_name asc

{# Which of the tables of a store a database has. #}
select table_name
from duckdb_tables()
where
    database_name = {{ database | literal }}
    and schema_name = 'main'
    and table_name in ('results', 'meanings')
order by table_name asc

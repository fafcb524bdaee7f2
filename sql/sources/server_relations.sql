-- the tables and views that a user of PostgreSQL may read, those found without a schema first
select
    namespaces.nspname as schema_name,
    relations.relname as relation_name,
    pg_table_is_visible(relations.oid) as is_visible
from pg_class as relations
inner join pg_namespace as namespaces
    on relations.relnamespace = namespaces.oid
where
    relations.relkind in ('r', 'p', 'v', 'm', 'f')
    and namespaces.nspname not in ('pg_catalog', 'information_schema')
    and namespaces.nspname not like 'pg_toast%'
    and has_table_privilege(relations.oid, 'select')
order by is_visible desc, schema_name, relation_name

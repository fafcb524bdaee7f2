{# Every key of the records, in the order in which they are first met; DuckDB renames those that differ only in case. #}
select key
from (
    select
        unnest(json_keys(record)) as key,
        row_number() over () as line
    from read_json({{ files | literal }}, hive_partitioning = false, records = false, columns = {'record': 'json'})
)
group by key
order by min(line)

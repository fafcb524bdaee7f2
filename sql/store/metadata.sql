{# What the files of a store say of their rows. #}
select
    file_name,
    decode(key) as name,
    decode(value) as text
from parquet_kv_metadata({{ files | literal }})
where decode(key) in ('sqlrank', 'conventions', 'rows', 'contents', 'as_of')

select
    decode(key) as name,
    decode(value) as text
from parquet_kv_metadata({{ files | literal }})
where decode(key) in ('sqlrank', 'conventions', 'rows', 'contents')

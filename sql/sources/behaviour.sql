-- the files whose metadata say that their judgments come from behaviour, with what they say of it
select
    file_name,
    max(value) filter (where key = cast('behaviour' as blob)) as behaviour
from parquet_kv_metadata({{ files | literal }})
group by file_name
having bool_or(key = cast('contents' as blob) and value = cast({{ mark | literal }} as blob))
order by file_name asc

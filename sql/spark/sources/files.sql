{# One row for each suffix, and not for each file: there may be very many of these. One task lists them without opening
   any, where a shuffle would be a stage more. #}
select
    min(path) as first_file,
    max(path) as last_file,
    min(case when length = 0 then path end) as empty_file
from (
    select /*+ coalesce(1) */
        path,
        length
    from binaryFile.{{ path | ident }}
)
group by regexp_extract(path, {{ suffix | literal }}, 1)
limit 100

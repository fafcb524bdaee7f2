{# How many documents the groups have together, and the first line that is no size. #}
select
    sum(try_cast(line as bigint)) as total,
    count(*) as groups,
    min(case when is_size then null else line_number end) as wrong_number,
    arg_min(case when is_size then null else line end, case when is_size then null else line_number end) as wrong_line
from (
    select
        *,
        regexp_full_match(line, '[0-9]{1,15}') as is_size
    from (
        select
            row_number() over () as line_number,
            trim(line, E' \t\r') as line
        from {{ lines | trim | indent | indent }}
    )
    where coalesce(line, '') <> ''
)

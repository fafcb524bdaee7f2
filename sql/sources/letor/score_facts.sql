{# How many scores a file holds, and the first line that is none: one number, or, of RankLib, a query, a place and one. #}
select
    count(*) as scores,
    min(case when is_score then null else line_number end) as wrong_number,
    arg_min(case when is_score then null else line end, case when is_score then null else line_number end) as wrong_line
from (
    select
        *,
        regexp_full_match(
            line,
            '{% if placed %}[^\t]+\t[0-9]+\t{% endif %}[-+]?([0-9]+\.?[0-9]*|\.[0-9]+|nan|inf(inity)?)([eE][-+]?[0-9]+)?',
            'i'
        ) as is_score
    from (
        select
            row_number() over () as line_number,
            trim(line, E' \t\r') as line
        from {{ lines | trim | indent | indent }}
    )
    where coalesce(line, '') <> ''
)

{% from "macros/letor.sql" import document_of, is_row, lines_of, query_of %}
{# What the lines of a file of LETOR are: how many, the first that is none, and which of them name queries and documents. #}
with

lines as (
    {{ lines_of(lines | trim) | indent }}
),

facts as (
    select
        line_number,
        line,
        regexp_full_match(
            line,
            '[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?(\s+qid:[^\s#]+)?(\s+[0-9]+:[^\s#]+)*\s*(#.*)?'
        ) as is_letor,
        {{ query_of() }} as query_id,
        {{ document_of("docid") | trim }} as docid,
        {{ document_of("word") | trim }} as word
    from lines
    where {{ is_row() }}
)

select
    (select count(*) from lines) as line_count,
    count(*) as row_count,
    min(case when not is_letor then line_number end) as wrong_number,
    arg_min(case when not is_letor then line end, case when not is_letor then line_number end) as wrong_line,
    count(case when query_id <> '' then 1 end) as with_query,
    min(case when query_id = '' then line_number end) as without_query,
    count(case when docid <> '' then 1 end) as with_docid,
    min(case when docid = '' then line_number end) as without_docid,
    count(case when word <> '' then 1 end) as with_word,
    count(case when regexp_matches(line, '#\s*\S+$') then 1 end) as with_lone_word,
    count(distinct case when word <> '' then (query_id, word) end) as words
from facts

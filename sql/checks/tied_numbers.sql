{#
title = "ids of equal score are numbers of unequal length, whose type is unknown"
input = "run"
message = "{tool} breaks ties by the type of the ids, which {files} does not say: {doc_id} and {other} of query {query_id} have one score, and as numbers another order than as text (cases: {findings}); choose {option:ties number-desc} or {option:ties doc-desc}"
#}
with

groups as (
    select
        cast(query_id as {{ text }}) as query_id,
        min(cast(doc_id as {{ text }})) as doc_id,
        max(cast(doc_id as {{ text }})) as other,
        count(*) as documents,
        min(length(cast(doc_id as {{ text }}))) as shortest,
        max(length(cast(doc_id as {{ text }}))) as longest,
        sum(case when try_cast(doc_id as {{ double }}) is null then 1 else 0 end) as texts
    from {{ run }}
    group by {% if several %}system, {% endif %}query_id, try_cast(score as {{ double }})
)

select
    query_id,
    doc_id,
    other,
    {{ tool | literal }} as tool,
    {{ files | literal }} as files
from groups
where documents > 1 and shortest <> longest and (select sum(texts) from groups) = 0

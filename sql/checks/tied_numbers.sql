{#
title = "ids of equal score are numbers of unequal length, whose type nobody knows"
input = "run"
message = "{tool} breaks ties by the type of the ids, which {files} does not say: {doc_id} and {other} of query {query_id} have one score, and as numbers another order than as text (cases: {findings}); choose --ties number-desc or --ties doc-desc"
#}
select
    count(*) over () as findings,
    cast(query_id as {{ text }}) as query_id,
    min(cast(doc_id as {{ text }})) as doc_id,
    max(cast(doc_id as {{ text }})) as other,
    {{ tool | literal }} as tool,
    {{ files | literal }} as files
from {{ run }}
where not exists (select 1 from {{ run }} where try_cast(doc_id as {{ double }}) is null)
group by {% if several %}system, {% endif %}query_id, score
having count(*) > 1 and min(length(cast(doc_id as {{ text }}))) <> max(length(cast(doc_id as {{ text }})))
order by query_id
limit 1

{#
title = "two documents of one ranking have one rank"
input = "run"
message = "{findings:place is|places are} taken by several documents: rank {place} of query {query_id} by {documents}, such as {doc_id}; the rank column gives the places, so give each document its own, or choose {option:order desc}, which counts the places itself"
#}
select
    cast(query_id as {{ text }}) as query_id,
    try_cast(score as {{ double }}) as place,
    count(*) as documents,
    min(cast(doc_id as {{ text }})) as doc_id
from {{ run }}
group by {% if several %}system, {% endif %}query_id, try_cast(score as {{ double }})
having count(*) > 1

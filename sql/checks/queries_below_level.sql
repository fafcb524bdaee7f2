{#
title = "some queries have nothing of the level of a metric"
input = "qrels"
severity = "note"
message = "{findings:query has|queries have} no document of relevance {shown_level} or more, such as {query_id}; in {texts} {findings:~it counts as a query|they count as queries} without relevant documents"
#}
select
    cast(query_id as {{ text }}) as query_id,
    {{ texts | literal }} as texts,
    {{ shown_level | literal }} as shown_level
from {{ judged }}
group by query_id
having max(case when try_cast(relevance as {{ double }}) >= {{ level | literal }} then 1 else 0 end) = 0

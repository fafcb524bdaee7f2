{#
title = "a tool takes every row of the judgments for relevant"
input = "qrels"
message = "{findings} of {judgments:judgment|judgments} {findings:~is|are} not relevant, such as {relevance} of document {doc_id} for query {query_id}; {tool} takes every row for relevant in {texts}: give the rows that are, those {least}, or leave out {option:like}"
#}
select
    (select count(*) from {{ judged }}) as judgments,
    cast(query_id as {{ text }}) as query_id,
    cast(doc_id as {{ text }}) as doc_id,
    try_cast(relevance as {{ double }}) as relevance,
    {{ tool | literal }} as tool,
    {{ texts | literal }} as texts,
    {{ shown_level | literal }} as least
from {{ judged }}
where relevance is not null and (try_cast(relevance as {{ double }}) <= 0 or try_cast(relevance as {{ double }}) < {{ level | literal }})

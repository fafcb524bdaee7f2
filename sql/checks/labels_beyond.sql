{#
title = "a tool takes other labels otherwise in a metric"
input = "qrels"
message = "{findings:judgment is|judgments are} not {labels}, such as {relevance} of document {doc_id} of query {query_id}; in {texts} {tool} {otherwise}: give labels that are {labels}{ways}, or leave out {option:like}"
#}
select
    cast(query_id as {{ text }}) as query_id,
    cast(doc_id as {{ text }}) as doc_id,
    try_cast(relevance as {{ double }}) as relevance,
    {{ tool | literal }} as tool,
    {{ texts | literal }} as texts,
    {{ labels | literal }} as labels,
    {{ otherwise | literal }} as otherwise,
    {{ ways | literal }} as ways
from {{ judged }}
where
    try_cast(relevance as {{ double }}) < 0
{% if most is not none %}
    or try_cast(relevance as {{ double }}) > {{ most | literal }}
{% endif %}
{% if whole %}
    or try_cast(relevance as {{ double }}) <> floor(try_cast(relevance as {{ double }}))
{% endif %}

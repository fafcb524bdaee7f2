{#
title = "a tool reads judgments otherwise"
input = "qrels"
message = "{findings:judgment is|judgments are} read otherwise by {tool}, such as {relevance} of document {doc_id} of query {query_id}; {reason}"
#}
select
    cast(query_id as {{ text }}) as query_id,
    cast(doc_id as {{ text }}) as doc_id,
    try_cast(relevance as {{ double }}) as relevance,
    {{ tool | literal }} as tool,
    {{ reason | literal }} as reason
from {{ judged }}
{% if least is none %}
where try_cast(relevance as {{ double }}) <> floor(try_cast(relevance as {{ double }}))
{% else %}
where
    try_cast(relevance as {{ double }}) > {{ least | literal }} and try_cast(relevance as {{ double }}) < {{ level | literal }}
    or try_cast(relevance as {{ double }}) <= {{ least | literal }} and try_cast(relevance as {{ double }}) >= {{ level | literal }}
{% endif %}

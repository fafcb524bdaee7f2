{#
title = "a relevance is not a probability"
input = "qrels"
message = "{findings:judgment is|judgments are} above 1, such as {relevance} of document {doc_id} of query {query_id}, and max=none takes what {findings:~it is|they are} worth for a probability; name the largest relevance, as in max=4"
#}
select
    query_id,
    doc_id,
    try_cast(relevance as double) as relevance
from {{ judged }}
where try_cast(relevance as double) > 1

{#
title = "a relevance is in no gain table"
input = "qrels"
message = "{findings:judgment has|judgments have} a positive relevance that a gain table of this request does not name: document {doc_id} of query {query_id} has {relevance}; add it to the table"
#}
select
    query_id,
    doc_id,
    relevance
from (
    select
        query_id,
        doc_id,
{% if judgments == "error" %}
        try_cast(relevance as double) as relevance
    from {{ judged }}
{% else %}
        {%+ if judgments == "mean" %}avg{% else %}max{% endif %}(try_cast(relevance as double)) as relevance
    from {{ judged }}
    group by query_id, doc_id
{% endif %}
)
where
    relevance > 0
    and relevance not in ({% for relevance in named %}{{ relevance | literal }}{% if not loop.last %}, {% endif %}{% endfor %})

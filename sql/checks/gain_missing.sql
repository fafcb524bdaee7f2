{#
title = "a relevance stands in no gain table"
rows = ["qrels"]
needs = "tables"
shows = ["query_id", "doc_id", "relevance"]
message = "{findings} of {rows_read} judgments have a positive relevance that a gain table of this request does not name: document {doc_id} of query {query_id} has {relevance}; add it to the table"
#}
{% for table in tables %}
{%+ if not loop.first %}or {% endif %}(try_cast(relevance as double) > 0 and try_cast(relevance as double) not in ({% for pair in table %}{{ pair[0] | literal }}{% if not loop.last %}, {% endif %}{% endfor %}))
{% endfor %}

{#
title = "a relevance is not a number"
rows = ["qrels"]
shows = ["query_id", "doc_id", "relevance"]
message = "{findings} of {rows_read} relevances are not finite numbers: document {doc_id} of query {query_id} has {relevance}; for text labels give --relevance-map, such as E=3,S=2,C=1,I=0"
#}
relevance is not null and coalesce(not abs(try_cast(relevance as double)) < cast('inf' as double), true)

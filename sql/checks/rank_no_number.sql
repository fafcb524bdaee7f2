{#
title = "ranks that are not read are not numbers"
input = "run"
severity = "note"
message = "at least {findings} {findings:~rank is not a number|ranks are not numbers}, such as {rank} of document {doc_id} of query {query_id}; documents are ordered by score, and ranks are ignored"
#}
select
    cast(query_id as {{ text }}) as query_id,
    cast(doc_id as {{ text }}) as doc_id,
    cast(rank as {{ text }}) as rank
from (
    select *
    from {{ run }}
    limit {{ most }}
) as first_rows
where rank is not null and try_cast(rank as {{ double }}) is null

{#
title = "ranks that are not read are no numbers"
input = "run"
severity = "note"
message = "scores decide, and of the ranks beside them at least {findings} {findings:~is no number|are no numbers}, such as {rank} of document {doc_id} of query {query_id}; is it a column of ranks?"
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

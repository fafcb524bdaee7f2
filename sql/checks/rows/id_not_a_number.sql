{#
title = "an id that is ordered by number is not a whole number"
rows = ["run", "baseline"]
shows = ["query_id", "doc_id"]
needs = "number_ids"
message = "{findings} of {rows_read} document ids {findings:~is not a whole number|are not whole numbers} from 0 on, without sign and leading zeros: document {doc_id} of query {query_id}; {option:ties number-desc} orders by number, so choose {option:ties doc-desc}, which orders by text"
#}
not (
    length(cast(doc_id as {{ text }})) > 0
    and translate(cast(doc_id as {{ text }}), '0123456789', '') = ''
    and (cast(doc_id as {{ text }}) = '0' or cast(doc_id as {{ text }}) not like '0%')
)

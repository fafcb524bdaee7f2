{#
title = "a document appears twice in the catalogue"
input = "items"
message = "a document appears more than once in the catalogue (cases: {findings}), such as {doc_id}; give every document one row, with one category, length or vector"
#}
select doc_id
from {{ relation }}
group by doc_id
having count(*) > 1

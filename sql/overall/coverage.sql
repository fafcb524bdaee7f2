{#
title = "catalogue coverage: share of the catalogue that is among the first k of any query"
params = { k = "cutoff required" }
inputs = ["items"]
range = [0, 1]
summary = "whole"
formula = "documents of the catalogue in the top k of a query, over the documents of the catalogue: those of --items, else of --history"
citation = "Ge, Delgado-Battenfeld and Jannach, Beyond accuracy: evaluating recommender systems by coverage and serendipity, RecSys 2010"
agrees = ["Evidently item coverage of current data"]
#}
select
    {{ scope }},
    cast(count(distinct catalogue_items.doc_id) as {{ double }}) / max(catalogue_size.items) as value
from ranked_documents
left join catalogue_items
    on ranked_documents.doc_id = catalogue_items.doc_id
cross join catalogue_size
where ranked_documents.rank <= {{ k }}
group by {{ scope }}

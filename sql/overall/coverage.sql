{#
title = "catalogue coverage: share of the catalogue that is among the first k of any query"
title_zh = "覆盖率：目录中出现在任一查询前 k 个结果里的文档占比"
family = "whole"
params = { k = "cutoff required" }
inputs = ["items"]
range = [0, 1]
summary = "whole"
formula = "documents of the catalogue in the top k of a query, over the documents of the catalogue: those of --items, else of --history"
in_words = true
latex = '''
\text{coverage@}k = \frac{\left| C \cap \bigcup_{q} A_k(q) \right|}{\left| C \right|}
'''
citation = "Ge, Delgado-Battenfeld and Jannach, Beyond accuracy: evaluating recommender systems by coverage and serendipity, RecSys 2010"
doi = "10.1145/1864708.1864761"
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

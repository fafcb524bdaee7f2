{#
title = "Gini index: how unequally the documents share the first k places"
title_zh = "基尼系数：前 k 个位置在文档间分配得多不均等"
family = "whole"
params = { k = "cutoff required", over = ["catalogue", "shown"] }
inputs = ["items"]
spares = { items = { over = "shown" } }
range = [0, 1]
summary = "whole"
help = { over = "catalogue (every document of it, shown or not) or shown (the documents shown alone, with n - 1 for n)" }
formula = "sum over documents of (2i - n - 1) c(i) / (n sum of c), c(i) the times shown of the i-th least shown of n documents"
latex = '''
\text{Gini@}k = \frac{\sum_{j=1}^{M} (2j - M - 1)\, f_j}{M \sum_{j=1}^{M} f_j}, \qquad f_1 \le f_2 \le \dots \le f_M

\text{over=shown:}\ \ M \sum_{j=1}^{M} f_j \to (M - 1) \sum_{j=1}^{M} f_j
'''
citation = "Castells, Hurley and Vargas, Novelty and diversity in recommender systems, in Recommender Systems Handbook, 3rd edition, 2022"
doi = "10.1007/978-1-0716-2197-4_16"
agrees = ["RecBole GiniIndex", "Evidently Gini with over=shown"]
#}
{% if over == "catalogue" %}
select
    {{ scope }},
    sum((2 * (size - shown + place) - size - 1) * times) / nullif(max(size) * sum(times), 0) as value
from (
    select
        {{ scope }},
        times,
        row_number() over (partition by {{ scope }} order by times asc, doc_id asc) as place,
        count(*) over (partition by {{ scope }}) as shown,
        catalogue_size.items as size
    from (
        select
            {{ scope }},
            ranked_documents.doc_id as doc_id,
            cast(count(*) as {{ double }}) as times
        from ranked_documents
        inner join catalogue_items
            on ranked_documents.doc_id = catalogue_items.doc_id
        where ranked_documents.rank <= {{ k }}
        group by {{ scope }}, ranked_documents.doc_id
    ) as counted
    cross join catalogue_size
) as placed
group by {{ scope }}
{% else %}
select
    {{ scope }},
    sum((2 * place - shown - 1) * times) / nullif((max(shown) - 1) * sum(times), 0) as value
from (
    select
        {{ scope }},
        times,
        row_number() over (partition by {{ scope }} order by times asc, doc_id asc) as place,
        count(*) over (partition by {{ scope }}) as shown
    from (
        select
            {{ scope }},
            doc_id,
            cast(count(*) as {{ double }}) as times
        from ranked_documents
        where rank <= {{ k }}
        group by {{ scope }}, doc_id
    ) as counted
) as placed
group by {{ scope }}
{% endif %}

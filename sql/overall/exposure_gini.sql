{#
title = "Gini index of exposure: how unequally the documents share what is seen of the first k places"
title_zh = "曝光基尼系数：按位置折损的曝光在文档间分配得多不均等"
family = "whole"
params = { k = "cutoff required", discount = "log2", over = ["catalogue", "shown"] }
inputs = ["items"]
spares = { items = { over = "shown" } }
range = [0, 1]
summary = "whole"
undefined = "no document of the catalogue is shown"
help = { over = "catalogue (every document of it, shown or not) or shown (the documents shown alone)" }
formula = "sum over documents of (2i - n - 1) e(i) / (n sum of e), e(i) the exposure of the i-th least seen of n documents: the sum of the discounts of its ranks in the top k of all queries"
in_words = true
latex = '''
\text{exposure Gini@}k = \frac{\sum_{j=1}^{M} (2j - M - 1)\, e_j}{M \sum_{j=1}^{M} e_j}, \qquad e_1 \le e_2 \le \dots \le e_M

e_j = \sum_{q} \sum_{i=1}^{k} d_i\, [\text{document } j \text{ at rank } i]
'''
citation = "Do and Usunier, Optimizing generalized Gini indices for fairness in rankings, SIGIR 2022"
#}
{% from "macros/ranking.sql" import weight_of %}
select
    {{ scope }},
    sum((2 * (size - seen + place) - size - 1) * exposure) / nullif(max(size) * sum(exposure), 0) as value
from (
    select
        {{ scope }},
        exposure,
        row_number() over (partition by {{ scope }} order by exposure asc, doc_id asc) as place,
        count(*) over (partition by {{ scope }}) as seen,
{% if over == "catalogue" %}
        catalogue_size.items as size
{% else %}
        cast(count(*) over (partition by {{ scope }}) as {{ double }}) as size
{% endif %}
    from (
        select
            {{ scope }},
            ranked_documents.doc_id as doc_id,
            sum(cast({{ weight_of("rank", discount) }} as {{ double }})) as exposure
        from ranked_documents
{% if over == "catalogue" %}
        inner join catalogue_items
            on ranked_documents.doc_id = catalogue_items.doc_id
{% endif %}
        where ranked_documents.rank <= {{ k }}
        group by {{ scope }}, ranked_documents.doc_id
    ) as exposed
{% if over == "catalogue" %}
    cross join catalogue_size
{% endif %}
) as placed
group by {{ scope }}

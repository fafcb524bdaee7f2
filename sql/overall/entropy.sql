{#
title = "Shannon entropy of what stands in the first k"
title_zh = "香农熵：前 k 个位置在文档间的分布"
family = "whole"
params = { k = "cutoff required", log = ["log2", "ln"], norm = ["none", "shown"] }
summary = "whole"
help = { log = "unit: log2 (bits) or ln (nats)", norm = "none, or shown (over the number of different documents shown)" }
formula = "-sum over documents of q log q, q the share of a document in all places shown"
latex = '''
\text{entropy@}k = - \sum_{j=1}^{M} r_j \log_2 r_j, \qquad r_j = \frac{f_j}{\sum_{l=1}^{M} f_l}

\text{log=ln:}\ \ \log_2 \to \ln \qquad \text{norm=shown:}\ \ r_j \log_2 r_j \to \frac{r_j \log_2 r_j}{M}
'''
citation = "Castells, Hurley and Vargas, Novelty and diversity in recommender systems, in Recommender Systems Handbook, 3rd edition, 2022"
doi = "10.1007/978-1-0716-2197-4_16"
agrees = ["Microsoft Recommenders distributional_coverage", "RecBole ShannonEntropy with log=ln, norm=shown"]
#}
select
    {{ scope }},
    -sum(times / total * ln(times / total)){% if log == "log2" %} / ln(2.0){% endif %}{% if norm == "shown" %} / count(*){% endif %} as value
from (
    select
        {{ scope }},
        times,
        sum(times) over (partition by {{ scope }}) as total
    from (
        select
            {{ scope }},
            doc_id,
            cast(count(*) as {{ double }}) as times
        from ranked_documents
        where rank <= {{ k }}
        group by {{ scope }}, doc_id
    ) as counted
) as shares
group by {{ scope }}

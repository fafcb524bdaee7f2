{#
title = "area under the ROC curve over all rows: how often a relevant row scores above another one"
title_zh = "AUC：全部样本上的 ROC 曲线下面积"
family = "auc"
params = { rel = 1 }
inputs = ["relevance", "score"]
range = [0, 1]
summary = "whole"
linear = true
undefined = "the rows are all relevant, or none is"
formula = "share of pairs of a relevant and another row, of whatever queries, where the relevant one scores higher, ties counting one half"
in_words = true
latex = '''
\text{AUC} = \frac{1}{P\, M} \sum_{i,\,j} h_i\, (1 - h_j) \left( [\text{score}_i > \text{score}_j] + \frac{1}{2} [\text{score}_i = \text{score}_j] \right)

P = \sum_{i} h_i, \qquad M = \sum_{j} (1 - h_j)
'''
citation = "Hanley and McNeil, The meaning and use of the area under a receiver operating characteristic (ROC) curve, Radiology 143(1), 1982"
doi = "10.1148/radiology.143.1.7063747"
#}
select
    {{ scope }},
    sum(relevant * (others_below + others / 2)) / nullif(sum(relevant) * sum(others), 0) as value
from (
    select
        {{ scope }},
        relevant,
        others,
        coalesce(sum(others) over (
            partition by {{ scope }}
            order by score {{ direction }}
            rows between 1 following and unbounded following
        ), 0) as others_below
    from (
        select
            {{ scope }},
            score,
            sum(cast(case when relevance >= {{ rel | literal }} then 1 else 0 end as {{ double }})) as relevant,
            sum(cast(case when relevance >= {{ rel | literal }} then 0 else 1 end as {{ double }})) as others
        from ranked_documents
        group by {{ scope }}, score
    ) as scores
) as counted
group by {{ scope }}

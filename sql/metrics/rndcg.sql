{#
title = "nDCG averaged over the places where the best ranking goes on to a smaller gain"
title_zh = "在理想排序增益下降处取平均的 nDCG"
family = "gain"
params = { gain = "linear", discount = "log2", rel = 0 }
reads = ["gain", "discount", "ideal_gain", "ideal_step", "dcg_so_far", "ideal_dcg_so_far", "gainful", "retrieved"]
range = [0, 1]
empty = ["gainful", "relevant"]
vanishes = false
summary = "mean"
formula = "mean of DCG(b) / ideal DCG(b) over the last place b of each gain in the best ranking, and of the whole ranking once more where it is longer than that by two or more"
in_words = true
latex = '''
\text{RnDCG} = \frac{1}{\left| B \right|} \sum_{b \in B} \frac{D_b}{D^{*}_b}, \qquad D_i = \sum_{j=1}^{i} g_j\, d_j, \qquad D^{*}_i = \sum_{j=1}^{i} g^{*}_j\, d_j

B = \{\, b \le J \mid g^{*}_b \ne g^{*}_{b+1} \,\}, \text{ with } n \text{ too if } n \ge J + 2
'''
citation = "trec_eval, measure Rndcg"
#}
{% from "macros/ranking.sql" import at, each, of_query, total %}
{% set share %}{{ dcg_so_far.value }} / {{ ideal_dcg_so_far.value }}{% endset %}
{% set ends %}case when {{ ideal_step.value }} = 1 then {{ share }} else 0 end{% endset %}
(
    {{ total(ends) }}
    + case
        when {{ of_query(retrieved) }} > {{ of_query(gainful) }} + 1
            then {{ total(at(gain, none, discount)) }}
                / nullif({{ total(at(ideal_gain, none, discount)) }}, 0)
        else 0
    end
) / nullif(
    {{ total(at(ideal_step)) }} + case when {{ of_query(retrieved) }} > {{ of_query(gainful) }} + 1 then 1 else 0 end,
    0
)

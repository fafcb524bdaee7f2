{#
title = "share of pairs of judged documents that the scores order as the judgments do"
title_zh = "成对准确率：已标注的文档对中，得分的顺序与标注一致的占比"
family = "auc"
params = { pairless = ["undefined", "zero", "half", "one"], weight = ["none", "item", "within"] }
reads = ["graded_pairs", "graded_pairs_won", "retrieved"]
reads_with = { retrieved = { pairless = ["zero", "half", "one"] } }
range = [0, 1]
summary = "mean"
linear = true
help = { weight = "what weighs a pair, and a query by its pairs in the mean: none, item (the item_weight of the more relevant document) or within (a pair alone)", pairless = "value of a query in which no two judged documents returned differ in relevance: undefined (left out), zero, half or one; 0 where nothing was returned" }
undefined = "with pairless=undefined, no two judged documents returned differ in relevance"
formula = "over pairs of documents returned with a judgment of 0 or more and different relevance: share where the more relevant scores higher, ties counting one half. weight=item: a pair counts the weight of the more relevant document, and a query those of its pairs"
in_words = true
latex = '''
\text{accuracy} = \frac{\sum_{i,\,j} [\mathit{rel}_i > \mathit{rel}_j \ge 0] \left( [\text{score}_i > \text{score}_j] + \frac{1}{2} [\text{score}_i = \text{score}_j] \right)}{\sum_{i,\,j} [\mathit{rel}_i > \mathit{rel}_j \ge 0]}
'''
citation = "Burges, Shaked, Renshaw, Lazier, Deeds, Hamilton and Hullender, Learning to rank using gradient descent, ICML 2005"
doi = "10.1145/1102351.1102363"
#}
{% from "macros/pairs.sql" import of_pairs %}
{% from "macros/ranking.sql" import at, total %}
{% if weighing %}
{{ total(at(graded_pairs)) }}
{% else %}
{{ of_pairs(total(at(graded_pairs_won)), total(at(graded_pairs)), pairless, retrieved) }}
{% endif %}

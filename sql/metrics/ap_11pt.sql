{#
title = "11-point average precision: the mean of the interpolated precisions at recall 0, 0.1 to 1"
title_zh = "11 点平均精度：召回率为 0、0.1 直到 1 处插值精确率的平均"
family = "binary"
params = { rel = 1, rule = ["round", "ceil", "exact"], recalls = ["0/0.1/0.2/0.3/0.4/0.5/0.6/0.7/0.8/0.9/1"] }
reads = ["precision_at_hit", "hits", "query_relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
aliases = { 11pt_avg = {} }
help = { recalls = "the recalls, in rising order, with / between them" }
formula = "(iprec(recall=0) + iprec(recall=0.1) + ... + iprec(recall=1)) / 11"
latex = '''
\text{AP}_{11} = \frac{1}{11} \sum_{j=0}^{10} \text{iprec}\left( \frac{j}{10} \right)
'''
citation = "trec_eval, measure 11pt_avg; rule=exact is of Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4"
#}
{% from "macros/ranking.sql" import best_beyond %}
(
{% for recall in recalls %}
    {%+ if not loop.first %}+ {% endif %}{{ best_beyond(precision_at_hit, hits, query_relevant, recall, rule) }}
{% if loop.last %}
) / {{ loop.length }}
{% endif %}
{% endfor %}

{#
title = "interpolated precision: the best precision at a recall or beyond it"
title_zh = "插值精确率：召回率达到给定值之后的最高精确率"
family = "binary"
params = { recall = "required", rel = 1, rule = ["round", "ceil", "exact"] }
reads = ["precision_at_hit", "hits", "query_relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
trailing = "recall"
aliases = { iprec_at_recall = {} }
help = { recall = "share of the relevant documents, from 0 to 1" }
within = { recall = [0, 1] }
formula = "largest precision at a rank with at least c hits, c = recall * R rounded (rule=ceil: the whole part of recall * R + 0.9, rule=exact: recall * R itself)"
latex = '''
\text{iprec}(\text{recall}) = \underset{i \,:\, H_i \ge c}{\max}\; \frac{H_i}{i}, \qquad c = \left\lfloor \text{recall} \cdot R + 0.5 \right\rfloor

\text{rule=ceil:}\ \ 0.5 \to 0.9 \qquad \text{rule=exact:}\ \ c = \text{recall} \cdot R
'''
citation = "trec_eval, measure iprec_at_recall; rule=exact is of Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4"
#}
{% from "macros/ranking.sql" import best_beyond %}
{{ best_beyond(precision_at_hit, hits, query_relevant, recall, rule) }}

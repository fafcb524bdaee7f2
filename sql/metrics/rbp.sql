{#
title = "rank-biased precision: relevance met by a user who goes on with probability p"
title_zh = "排名偏置精度（RBP）：以概率 p 继续往下看的用户得到的相关性"
family = "user"
params = { k = "cutoff", p = 0.9, grade = ["scaled", "raw", "binary"], rel = 1, gain = "linear" }
reads = ["gain", "hit", "top_gain"]
reads_with = { hit = { grade = "binary" }, top_gain = { grade = "scaled" } }
summary = "mean"
rises = true
rises_with = { grade = ["raw", "binary"] }
linear = true
effect = "places"
bounds = { p = [0, 1] }
help = { grade = "worth of a document: scaled (its gain over the largest gain of the query if above 1), raw (its gain) or binary (1 from rel on)" }
formula = "(1 - p) * sum over ranks i <= k of worth(i) * p^(i - 1)"
latex = '''
\text{RBP@}k = (1 - p) \sum_{i=1}^{k} w_i\, p^{i-1}

w_i = \frac{g_i}{\max(1,\ g_{\text{top}})} \qquad \text{grade=raw:}\ \ w_i = g_i \qquad \text{grade=binary:}\ \ w_i = h_i
'''
citation = "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2008"
doi = "10.1145/1416950.1416952"
#}
{% from "macros/ranking.sql" import of_query, persistent, total %}
{% if grade == "binary" %}
(1 - {{ p | literal }})
* {{ total(persistent(hit, p, k)) }}
{% elif grade == "raw" %}
(1 - {{ p | literal }})
* {{ total(persistent(gain, p, k)) }}
{% else %}
(1 - {{ p | literal }})
* {{ total(persistent(gain, p, k)) }}
/ case when {{ of_query(top_gain) }} > 1 then {{ of_query(top_gain) }} else 1 end
{% endif %}

{#
title = "utility: a price for each document returned or missed, relevant or not"
title_zh = "效用：返回或遗漏的每个文档的得失之和"
family = "sets"
params = { tp = 1, fp = -1, fn = 0, tn = 0, documents = 0, rel = 1 }
reads = ["hit", "retrieved", "relevant"]
summary = "mean"
linear = true
help = { tp = "worth of a relevant document returned", fp = "worth of another document returned", fn = "worth of a relevant document missed", tn = "worth of another document not returned", documents = "how many documents there are, for tn" }
formula = "tp * relevant returned + fp * others returned + fn * relevant missed + tn * others not returned"
latex = '''
\text{utility} = \text{tp} \cdot H_n + \text{fp} \cdot (n - H_n) + \text{fn} \cdot (R - H_n) + \text{tn} \cdot (\text{documents} - n - R + H_n)
'''
citation = "trec_eval, measure utility"
#}
{% from "macros/ranking.sql" import at, number, of_query, total %}
{{ tp | literal }} * {{ number(total(at(hit))) }}
+ {{ fp | literal }} * ({{ of_query(retrieved) }} - {{ total(at(hit)) }})
+ {{ fn | literal }} * ({{ of_query(relevant) }} - {{ total(at(hit)) }})
{% if documents %}
+ {{ tn | literal }} * ({{ documents | literal }} - {{ of_query(retrieved) }} - {{ of_query(relevant) }} + {{ total(at(hit)) }})
{% endif %}

{#
title = "whether anything returned is relevant"
title_zh = "返回集合是否命中"
family = "sets"
params = { rel = 1 }
reads = ["hit"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
rises = true
parts = "first"
formula = "1 if the ranking has a hit, else 0"
latex = '''
\text{Success} = [H_n \ge 1]
'''
citation = "Kantor and Voorhees, The TREC-5 Confusion Track, Information Retrieval 2, 2000"
#}
{% from "macros/ranking.sql" import at, best, number %}
{{ number(best(at(hit))) }}

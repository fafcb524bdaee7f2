{#
text = "judged documents with a positive gain"
rows = ["query"]
depends = ["gain"]
step = "judged_queries"
#}
{% from "macros/ranking.sql" import has_gain %}
sum(case when {{ has_gain(gain) }} then {{ one }} else 0 end)

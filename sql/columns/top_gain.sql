{#
text = "largest gain of the query"
rows = ["query"]
depends = ["gain"]
step = "judged_queries"
#}
{% from "macros/ranking.sql" import gain_of %}
max({{ gain_of(gain) }})

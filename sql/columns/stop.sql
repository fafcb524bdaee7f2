{#
text = "probability that this document satisfies"
rows = ["retrieved"]
depends = ["max"]
step = "scored"
positive_only = true
#}
{% from "macros/ranking.sql" import chance_of %}
{{ chance_of(max) }}

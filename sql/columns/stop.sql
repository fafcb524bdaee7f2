{#
text = "probability that this document satisfies"
rows = ["retrieved"]
depends = ["max"]
step = "scored"
#}
{% from "macros/ranking.sql" import chance_of %}
{{ chance_of(max) }}

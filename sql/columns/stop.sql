{#
text = "probability that this document satisfies"
rows = ["retrieved"]
depends = ["gain", "max"]
needs_with = { top_gain = { max = "query" } }
step = "scored"
positive_only = true
#}
{% from "macros/satisfaction.sql" import chance_of %}
{{ chance_of(gain, max, top_gain) }}

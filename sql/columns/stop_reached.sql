{#
text = "probability that none above satisfied"
rows = ["retrieved"]
depends = ["gain", "max"]
needs = ["stop"]
needs_with = { top_gain = { max = "query" } }
step = "scored"
positive_only = true
#}
{% from "macros/satisfaction.sql" import chance_of, none_of %}
{{ none_of(chance_of(gain, max, top_gain), row_keys, "rank" | ident, max == "none") }}

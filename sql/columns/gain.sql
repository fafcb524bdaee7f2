{#
text = "gain of a retrieved document"
rows = ["retrieved"]
depends = ["gain", "weight"]
needs_with = { item_weight = { weight = "item" } }
positive_only = true
#}
{% from "macros/ranking.sql" import has_gain, weighed, worth_of %}
when {{ has_gain(gain) }}
then {% if weight == "item" %}{{ weighed(gain, item_weight.value) }}{% else %}{{ worth_of(gain) }}{% endif %}

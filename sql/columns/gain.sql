{#
text = "gain of a retrieved document"
rows = ["retrieved"]
depends = ["gain"]
positive_only = true
#}
{% from "macros/ranking.sql" import has_gain, worth_of %}
when {{ has_gain(gain) }}
then {{ worth_of(gain) }}

{#
text = "gain of a subtopic, less where it was seen above"
rows = ["subtopic"]
depends = ["alpha", "rel", "weight"]
needs_with = { subtopic_weight = { weight = "item" } }
needs = ["covered", "seen"]
input = "subtopic"
step = "subtopic_rows"
#}
{{ covered.value }} * power({{ (1 - alpha) | literal }}, {{ seen.value }}){% if weight == "item" %} * {{ subtopic_weight.value }}{% endif %}

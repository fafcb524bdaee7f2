{#
text = "1 for a document with the score of the one above it"
step = "ranked"
#}
{% from "macros/steps.sql" import in_order with context %}
case when score = lag(score) {{ in_order() }} then 1 else 0 end

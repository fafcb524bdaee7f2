{#
text = "1 for a document with the score of the one below it"
step = "ranked"
#}
{% from "macros/steps.sql" import in_order with context %}
case when score = lead(score) {{ in_order() }} then 1 else 0 end

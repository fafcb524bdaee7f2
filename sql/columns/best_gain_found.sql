{#
text = "largest gain of a document returned"
rows = ["cumulated"]
depends = ["gain"]
needs = ["gain"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import at %}
max({{ at(gain) }}) over (partition by {{ keys }})

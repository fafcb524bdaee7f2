{#
text = "gain of a document, next to others shown"
rows = ["shown"]
depends = ["gain"]
step = "shown_rows"
judged = true
#}
{% from "macros/ranking.sql" import gain_of %}
cast({{ gain_of(gain) | replace("relevance", "judged.relevance") }} as {{ double }})

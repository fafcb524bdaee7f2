{#
text = "relevance of the document between 0 and 1"
rows = ["retrieved"]
depends = ["min", "max"]
step = "scored"
#}
{% from "macros/ranking.sql" import grade_of %}
{{ grade_of(min, max) }}

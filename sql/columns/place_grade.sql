{#
text = "relevance at this place between 0 and 1"
rows = ["place"]
depends = ["min", "max"]
step = "graded"
#}
{% from "macros/ranking.sql" import grade_of %}
coalesce(cast({{ grade_of(min, max) }} as {{ double }}), 0)

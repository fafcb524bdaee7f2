{#
text = "weight of the place"
rows = []
depends = ["discount"]
positive_only = true
#}
{% from "macros/ranking.sql" import weight_of %}
{{ weight_of("rank", discount) }}
{{ weight_of("place", discount) }}

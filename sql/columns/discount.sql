{#
text = "weight of the place"
rows = []
depends = ["discount"]
#}
{% from "macros/ranking.sql" import weight_of %}
{{ weight_of("rank", discount) }}
{{ weight_of("place", discount) }}

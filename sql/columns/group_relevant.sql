{#
text = "relevant documents with one score"
rows = ["group"]
depends = ["rel"]
step = "score_groups"
#}
{% from "macros/ranking.sql" import number %}
{% set counted %}sum(case when relevance >= {{ rel | literal }} then {{ one }} else 0 end){% endset %}
{{ number(counted) }}

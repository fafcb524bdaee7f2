{#
text = "place of a document of the history, the least popular first"
rows = []
input = "history"
step = "history"
#}
{% from "macros/ranking.sql" import text_of %}
cast(row_number() over (order by count(*) asc, {{ text_of(history.doc_id) }} asc) as {{ double }})

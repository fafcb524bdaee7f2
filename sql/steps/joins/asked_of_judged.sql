{% from "macros/ranking.sql" import id_of %}
left join {{ asked.relation }} as asked on judged_queries.query_id = {{ id_of(asked.query_id, "asked") }}

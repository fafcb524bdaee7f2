{% from "macros/ranking.sql" import id_of %}
-- the rows of a few queries
select *
from {{ relation }}
where {{ id_of(query_id) }} in ({% for query in queries %}{{ query | literal }}{% if not loop.last %}, {% endif %}{% endfor %})

{% from "macros/ranking.sql" import id_of %}
-- the segment of every query
select {{ id_of("query_id") }} as query_id, cast(segment as {{ text }}) as segment
from {{ relation }}

{# What the judgments of a pair say in one column; more than one value is for whoever reads this to refuse. #}
{% from "macros/ranking.sql" import id_of %}
-- the segment of every pair, and another one where its judgments have two
select
    {{ id_of("query_id") }} as query_id,
    {{ id_of("doc_id") }} as doc_id,
    min(cast(segment as {{ text }})) as segment,
    nullif(max(cast(segment as {{ text }})), min(cast(segment as {{ text }}))) as another
from {{ relation }}
group by {{ id_of("query_id") }}, {{ id_of("doc_id") }}

{# The queries of a sample are those of one part of many. #}
-- how many documents some of the queries have, and how many of these were judged{% if positive_only %} relevant{% endif +%}
with

{% include "steps/run.sql" %}
{% include judged_step %}
hits as (
    select count(*) as hits
    from run_rows
    inner join judged
        on run_rows.query_id = judged.query_id and run_rows.doc_id = judged.doc_id
{% if positive_only %}
    where judged.relevance > 0
{% endif %}
)

select
    (select count(*) from run_rows) as documents,
    hits.hits
from hits

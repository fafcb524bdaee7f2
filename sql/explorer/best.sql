{% from "macros/ranking.sql" import gain_of, has_gain %}
-- the first judgments of every query in their best order
with

{% for step in document_steps %}
{% include step %}
{% endfor %}
{% include "explain/best.sql" %}

select
    query_id,
    place,
    doc_id,
    relevance
from best
where place <= {{ rows }}

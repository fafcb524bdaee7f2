-- the documents of every ranking{% if title %}, and what each adds to {{ title }}{% endif +%}
{% include "explain/documents.sql" %}

select
    system,
    query_id,
    rank,
    doc_id,
    score,
    relevance,
    contribution
from shown_documents

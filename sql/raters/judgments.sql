{% from "macros/ranking.sql" import id_of, number_of %}
create temp view {{ name | ident }} as
-- every judgment of a document, with its relevance as a number
select
    {{ id_of("query_id") }} as query_id,
    {{ id_of("doc_id") }} as doc_id,
    {{ id_of("rater") }} as rater,
    {{ number_of("relevance") }} as relevance
from {{ relation }}

{# What each impression is like. One whose marks of documents are fewer than its rows may hold a document twice: marks are
   bits, so that nothing is kept of a document; where none is short, no document appears twice. Places likewise. #}
select
    impression_id,
    count(*) as rows_of,
    sum(clicked) as clicks,
    min(position) as lowest,
{% if "session_id" in columns %}
    min(session_id) as first_session,
    max(session_id) as last_session,
{% endif %}
{% if "user_id" in columns %}
    min(user_id) as user_id,
    max(user_id) as last_user,
{% if "time" in columns %}
    min("time") as "time",
{% endif %}
{% endif %}
    min(query_id) as first_query,
    max(query_id) as last_query,
    bit_count(bit_or(cast(1 as ubigint) << (position & 63))) as places,
    greatest(
        bit_count(bit_or(cast(1 as ubigint) << (hash(doc_id) & 63))),
        bit_count(bit_or(cast(1 as ubigint) << ((hash(doc_id) >> 6) & 63))),
        bit_count(bit_or(cast(1 as ubigint) << ((hash(doc_id) >> 12) & 63))),
        bit_count(bit_or(cast(1 as ubigint) << ((hash(doc_id) >> 18) & 63)))
    ) as marks
from {{ log }}
group by impression_id

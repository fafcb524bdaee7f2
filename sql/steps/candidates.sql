{% if attach %}
-- the rankings with their judgments, null where a document was not judged
candidates as (
    select
{% if several %}
        returned.system as system,
{% endif %}
        returned.query_id as query_id,
        returned.doc_id as doc_id,
        returned.score as score,
{% if ties == "rank" %}
        returned.given_rank as given_rank,
{% elif ties == "input" %}
        returned.input_order as input_order,
{% endif %}
        qrels_rows.relevance as relevance
    from {% if duplicates == "error" %}run_rows{% else %}copies{% endif %} as returned
    left join qrels_rows
        on returned.query_id = qrels_rows.query_id and returned.doc_id = qrels_rows.doc_id
{% if duplicates != "error" %}
    where returned.copy = 1
{% endif %}
),

{% endif %}

{% if attach %}
{% if without_judgments %}
-- the rankings, with each document once
{% else %}
-- the rankings with their judgments, null where a document was not judged
{% endif %}
candidates as (
    select
{% if several %}
        returned.system as system,
{% endif %}
        returned.query_id as query_id,
        returned.doc_id as doc_id,
{% if ties == "rank" %}
        returned.given_rank as given_rank,
{% elif ties == "input" %}
        returned.input_order as input_order,
{% endif %}
{% if not without_judgments %}
        qrels_rows.relevance as relevance,
{% endif %}
        returned.score as score
    from {% if duplicates == "error" %}run_rows{% else %}copies{% endif %} as returned
{% if not without_judgments %}
    left join qrels_rows
        on returned.query_id = qrels_rows.query_id and returned.doc_id = qrels_rows.doc_id
{% endif %}
{% if duplicates != "error" %}
    where returned.copy = 1
{% endif %}
),

{% endif %}

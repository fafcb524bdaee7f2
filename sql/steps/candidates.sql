{% from "macros/ranking.sql" import keys_of %}
{% if attach %}
{% if without_judgments %}
-- the rankings, with each document once
{% else %}
-- the rankings with their judgments, null where a document was not judged
{% endif %}
candidates as (
    select
        {{ keys_of("returned", several) }},
        returned.doc_id as doc_id,
{% if ties == "rank" %}
        returned.given_rank as given_rank,
{% elif ties == "input" %}
        returned.input_order as input_order,
{% endif %}
{% if not without_judgments %}
        judged.relevance as relevance,
{% endif %}
        returned.score as score
    from {% if duplicates == "error" %}run_rows{% else %}copies{% endif %} as returned
{% if not without_judgments %}
    left join judged
        on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
{% endif %}
{% if duplicates != "error" %}
    where returned.copy = 1
{% endif %}
),
{% endif %}

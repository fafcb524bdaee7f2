{# The pairs that a rater and the reference both judged; `segments` say what a query, or a pair `of_pairs`, belongs to. #}
-- every pair that a rater and the reference judged, with both grades
select
    judged.rater,
    judged.query_id,
    judged.doc_id,
    reference.relevance as reference_grade,
    judged.relevance as grade,
{% if segments %}
    segments.segment,
{% endif %}
    judged.relevance - reference.relevance as difference
from {{ judged }} as judged
inner join {{ judged }} as reference
    on judged.query_id = reference.query_id and judged.doc_id = reference.doc_id
{% if segments %}
left join {{ segments }} as segments
    on judged.query_id = segments.query_id{% if of_pairs %} and judged.doc_id = segments.doc_id{% endif +%}
{% endif %}
where reference.rater = {{ reference | literal }} and judged.rater <> {{ reference | literal }}

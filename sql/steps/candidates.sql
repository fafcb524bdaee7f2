{% from "macros/keys.sql" import keys_of with context %}
{% from "macros/steps.sql" import candidate_relevance, chosen_candidates, shown_grade with context %}
-- the rankings with their judgments, {{ shown_grade() }} where a document was not judged
candidates as (
    select{% if hints %} /*+ shuffle_hash(judged) */{% endif +%}
        {{ keys_of("returned") }},
        returned.doc_id as doc_id,
{% for name in tie_columns %}
        returned.{{ name | ident }} as {{ name | ident }},
{% endfor %}
        {{ candidate_relevance() }} as relevance,
        returned.score as score
    from {{ returned }} as returned
    left join judged
        on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
{{ chosen_candidates() -}}
),

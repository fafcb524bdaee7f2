{% from "macros/keys.sql" import keys_of with context %}
-- the rankings with their judgments, {% if grade_of_unjudged is none %}null{% else %}{{ grade_of_unjudged | literal }}{% endif %} where a document was not judged
candidates as (
    select{% if hints %} /*+ shuffle_hash(judged) */{% endif +%}
        {{ keys_of("returned") }},
        returned.doc_id as doc_id,
{% for name in tie_columns %}
        returned.{{ name | ident }} as {{ name | ident }},
{% endfor %}
        {%+ if grade_of_unjudged is none %}judged.relevance{% else %}coalesce(judged.relevance, {{ grade_of_unjudged | literal }}){% endif %} as relevance,
        returned.score as score
    from {{ returned }} as returned
    left join judged
        on returned.query_id = judged.query_id and returned.doc_id = judged.doc_id
{% if duplicates != "error" %}
    where returned.copy = 1
{% endif %}
{% if grade_of_unjudged is not none and query_set != "run" %}
    {%+ if duplicates != "error" %}and{% else %}where{% endif %} returned.query_id in (select query_id from judged)
{% endif %}
),

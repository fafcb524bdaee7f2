{% from "macros/keys.sql" import keys_of with context %}
{% from "macros/steps.sql" import made_in with context %}
-- the subtopics of the documents found
covered_subtopics as (
    select
        {{ keys_of("ranked") }},{{ made_in("covered_subtopics") }}
{% for column in columns if column.step == "subtopic_totals" %}
        subtopic_totals.{{ column.name | ident }} as {{ column.name | ident }},
{% endfor %}
        ranked.rank as place
    from ranked
    inner join judged_subtopics
        on ranked.query_id = judged_subtopics.query_id and ranked.doc_id = judged_subtopics.doc_id
{% for join in joins.covered_subtopics %}
{% include join %}
{% endfor %}
{% if last_depth %}
    where ranked.rank <= {{ last_depth }}
{% endif %}
),

{% from "macros/keys.sql" import keys_of with context %}
{% from "macros/steps.sql" import that_count with context %}
-- the documents found that were judged{% if counted == "> 0" %} relevant{% endif %}, with what stands above each of them
scored as (
    select{% if hints %} /*+ shuffle_hash(judged) */{% endif +%}
        {{ keys_of("ranked") }},
        judged.relevance as relevance,
{% include "steps/scored_columns.sql" %}
        ranked.rank as rank
    from ranked
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
{% for join in joins.scored %}
{% include join %}
{% endfor %}
{{ that_count("judged") -}}
),

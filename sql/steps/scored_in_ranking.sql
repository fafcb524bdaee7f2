{% from "macros/keys.sql" import keys_of with context %}
{% from "macros/steps.sql" import that_count with context %}
-- the documents found that were judged{% if counted == "> 0" %} relevant{% endif %}, with what stands above each of them
scored as (
    select
        {{ keys_of("ranked") }},
        ranked.relevance as relevance,
{% include "steps/scored_columns.sql" %}
        ranked.rank as rank
    from {% if averaged %}averaged as {% endif %}ranked
{% for join in joins.scored %}
{% include join %}
{% endfor %}
{{ that_count("ranked") -}}
),

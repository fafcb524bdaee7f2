{% include "steps/header.sql" %}
with{% if recursive %} recursive{% endif %}


{% include "steps/run.sql" %}
{% include "steps/qrels.sql" %}
{% if ranking == "hits" %}
{% include "steps/ranked_hits.sql" %}
{% else %}
{% include "steps/copies.sql" %}
{% include "steps/candidates.sql" %}
{% include "steps/ranked.sql" %}
{% endif %}
{% include "steps/subtopics.sql" %}
{% include "steps/judged_queries.sql" %}
{% include "steps/found_queries.sql" %}
{% include "steps/queries.sql" %}
{% if not without_judgments %}
{% include "steps/retrieved.sql" %}
{% endif %}
{% include "steps/digits.sql" %}
{% include "steps/ideal.sql" %}
{% include "steps/places.sql" %}
{% include "steps/covered.sql" %}
{% include "steps/groups.sql" %}
{% include "steps/shown.sql" %}
{% include "steps/agreed.sql" %}
{% include "steps/observations.sql" %}
{% include "steps/cumulated.sql" %}
{% include "steps/per_query.sql" %}

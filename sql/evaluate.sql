{% include "steps/header.sql" %}
with{% if recursive %} recursive{% endif %}

{% set steps_text %}
{% include "steps/partition.sql" %}
{% include "steps/given.sql" %}
{% if not plain %}
{% include "steps/run.sql" %}
{% endif %}
{% if ranking == "hits" %}
{% include "steps/qrels.sql" %}
{% include "steps/ranked_hits.sql" %}
{% elif united %}
{% if limit %}
{% include "steps/ranked.sql" %}
{% endif %}
{% include "steps/united.sql" %}
{% elif plain %}
{% include "steps/ranked.sql" %}
{% include "steps/qrels.sql" %}
{% else %}
{% include "steps/qrels.sql" %}
{% include "steps/copies.sql" %}
{% include "steps/candidates.sql" %}
{% include "steps/ranked.sql" %}
{% endif %}
{% include "steps/judged_queries.sql" %}
{% if not plain %}
{% include "steps/subtopics.sql" %}
{% include "steps/found_queries.sql" %}
{% include "steps/queries.sql" %}
{% endif %}
{% include "steps/scale.sql" %}
{% include "steps/averaged.sql" %}
{% include "steps/scored.sql" %}
{% include "steps/digits.sql" %}
{% include "steps/ideal.sql" %}
{% include "steps/places.sql" %}
{% include "steps/covered.sql" %}
{% include "steps/groups.sql" %}
{% include "steps/shown.sql" %}
{% include "steps/agreed.sql" %}
{% include "steps/cumulated.sql" %}
{% include "steps/observations.sql" %}
{% include "steps/kept.sql" %}
{% endset %}
{{ steps_text.rstrip()[:-1] }}
{% include "steps/per_query.sql" %}

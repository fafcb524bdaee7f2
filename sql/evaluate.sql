{% include "steps/header.sql" %}
with{% if recursive %} recursive{% endif +%}
{% set steps %}
{% if partition %}
{% include "steps/partition.sql" %}
{% endif %}
{% include "steps/given.sql" %}
{% for step in form.steps %}
{% include step %}
{% endfor %}
{% include "steps/kept.sql" %}
{% endset %}
{% if summed %}
{{ steps.rstrip() }}
-- the metrics of each query
per_query as (
{% set rows %}
{% include "steps/per_query.sql" %}
{% endset %}
    {{ rows.rstrip() | indent }}
),
{% include "means.sql" %}
{% else %}
{{ steps.rstrip()[:-1] }}
{% set rows %}
{% include "steps/per_query.sql" %}
{% endset %}
{{ rows.rstrip() }}
{% endif %}

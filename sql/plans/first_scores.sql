{% from "macros/steps.sql" import best_scores with context %}
{# Scores alone are read here, so that ids are looked at only for the documents that reach them. #}
-- the best scores of each ranking, down to the last place that counts
create temp table {{ names.first_scores | ident }} as
with

{% include "steps/run.sql" %}
{% if judged_only %}
{% include judged_step %}
{% endif %}
first_scores as (
    select
        {{ keys }},
        {{ best_scores(limit) }}{% if not by_heap %}[:{{ limit }}]{% endif %} as scores
    from run_rows
{% if judged_only %}
    where query_id in (select query_id from judged)
{% endif %}
    group by {{ keys }}
)

select *
from first_scores

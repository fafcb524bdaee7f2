{# Scores alone are read here, so that ids are looked at only for the documents that reach them. #}
-- the score of the last place that matters in each ranking
create temp table {{ names.cut_scores | ident }} as
with

{% include "steps/run.sql" %}
{% if judged_only %}
{% include "steps/qrels.sql" %}
{% endif %}
last_scores as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% if by_heap %}
        list_last({% if ascending %}min{% else %}max{% endif %}(score, {{ limit }})) as score
{% else %}
        list_last(list_sort(list(score), '{{ direction }}')[:{{ limit }}]) as score
{% endif %}
    from run_rows
{% if judged_only %}
    where query_id in (select query_id from qrels_rows)
{% endif %}
    group by {{ keys }}
)

select
{% if several %}
    system,
{% endif %}
    query_id,
    score
from last_scores

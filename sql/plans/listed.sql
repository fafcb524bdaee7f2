{% from "macros/keys.sql" import keys_of, one_ranking with context %}
{% from "macros/steps.sql" import best_scores with context %}
{# Scores alone are sorted, as one list for each ranking: a fraction of the memory and time of sorted rows. #}
-- how many documents have a better score than each of them, looked up in the sorted scores of its ranking
create temp table {{ names.placed | ident }} as
with

{% if documents == "run_rows" %}
{% include "steps/run.sql" %}
{% if judged_only %}
{% include judged_step %}
{% endif %}
sorted_scores as (
    select
        {{ keys }},
        {{ best_scores(longest) }} as scores
    from run_rows
{% if judged_only %}
    where query_id in (select query_id from judged)
{% endif %}
    group by {{ keys }}
),

{% endif %}
hits_of_rankings as (
    select
        {{ keys }},
        list(struct_pack(hit := rowid, score := score, relevance := relevance)) as hits
    from {{ names.hits | ident }}
    group by {{ keys }}
),

hits_beside_scores as (
    select
        {{ keys_of("hits_of_rankings") }},
        unnest(hits_of_rankings.hits) as hit,
        sorted_scores.scores
    from hits_of_rankings
    inner join {% if documents == "run_rows" %}sorted_scores{% else %}{{ names.first_scores | ident }} as sorted_scores{% endif +%}
        on {{ one_ranking("hits_of_rankings", "sorted_scores") }}
),

looked_up as (
    select
        {{ keys }},
        hit.hit as hit,
        hit.score as score,
        hit.relevance as relevance,
        list_position(scores, hit.score) as first_rank,
        scores
    from hits_beside_scores
)

select
    hit,
    {{ keys }},
    relevance,
    first_rank - 1 as above,
    case when scores[first_rank + 1] = score{% if documents != "run_rows" %} or first_rank = {{ limit }}{% endif %} then 1 else 0 end as tied
from looked_up

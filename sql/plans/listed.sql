{# Scores alone are sorted, as one list for each ranking: a fraction of the memory and time of sorted rows. #}
-- how many documents have a better score than each of them, looked up in the sorted scores of its ranking
create temp table {{ names.placed | ident }} as
with

{% include "steps/run.sql" %}
hits_of_rankings as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        list(struct_pack(hit := rowid, score := score)) as hits
    from {{ names.hits | ident }}
    group by {{ keys }}
),

scores_of_rankings as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        list_sort(list(score), '{{ direction }}') as scores
    from run_rows
    group by {{ keys }}
),

looked_up as (
    select
        hit_rows.hit.hit as hit,
        list_position(scores, hit_rows.hit.score) as first_rank,
        scores,
        hit_rows.hit.score as score
    from (
        select
            scores_of_rankings.scores,
            unnest(hits_of_rankings.hits) as hit
        from hits_of_rankings
        inner join scores_of_rankings
            on hits_of_rankings.query_id = scores_of_rankings.query_id{% if several %} and hits_of_rankings.system = scores_of_rankings.system{% endif %}

    ) as hit_rows
)

select
    hit,
    first_rank - 1 as above,
    case when scores[first_rank + 1] = score then 1 else 0 end as tied
from looked_up

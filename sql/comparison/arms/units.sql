-- what every unit weighs and adds up to on either side, its values taken from the mean of all, so that sums of squares keep
-- their digits
with

{% include "comparison/arms/scoped.sql" %}
means as (
    select
        pair,
        scope,
        {{ exact_sum }}(weight * value) / {{ exact_sum }}(weight) as mean
    from scoped
    group by pair, scope
)

select
    scoped.pair as pair,
    scoped.scope as scope,
    scoped.unit as query_id,
{% for side in [0, 1] %}
    sum(case when scoped.side = {{ side }} then scoped.weight else 0 end) as weight_{{ side }},
    sum(case when scoped.side = {{ side }} then scoped.weight * (scoped.value - means.mean) else 0 end) as sum_{{ side }}{% if side == 0 %},{% endif +%}
{% endfor %}
from scoped
inner join means
    on scoped.pair = means.pair and scoped.scope = means.scope
group by scoped.pair, scoped.scope, scoped.unit

-- of each pair, metric and segment, 0 for the total: the standard error that the labels give the mean difference, and how
-- far it is from the mean over the draws of the labels
with

{% set more = true %}
{% include "comparison/differences.sql" %}
scoped as (
    select
        pair,
        metric,
        query_id,
        0 as scope,
        coalesce(total_weight, 0) as weight
    from differences

    union all

    select
        pair,
        metric,
        query_id,
        scope,
        coalesce(scope_weight, 0) as weight
    from differences
{% if not segments %}
    where false
{% endif %}
),

summed as (
    select
        scoped.pair as pair,
        scoped.scope as scope,
        sqrt(fsum(weight * weight * coalesce(spreads.variance, 0))) / nullif(fsum(weight), 0) as label_stderr,
        fsum(weight * coalesce(spreads.shift, 0)) / nullif(fsum(weight), 0) as label_shift
    from scoped
    inner join {{ numbers }} as numbers
        on scoped.pair = numbers.pair
    left join {{ spreads }} as spreads
        on
            numbers.contrast = spreads.contrast
            and scoped.query_id = spreads.query_id
            and scoped.metric = spreads.metric
    group by scoped.pair, scoped.scope
)

-- a mean that differs by less than a few standard errors of so many draws does not
select
    * replace (case when abs(label_shift) > {{ certain | literal }} * label_stderr then label_shift else 0 end as label_shift)
from summed

-- how many documents moved which way, and what they add
select
    moved,
    count(*) as documents,
    sum(baseline_contribution) as baseline_contribution,
    sum(contribution) as contribution,
    sum(difference) as difference
from {{ documents }}
group by moved

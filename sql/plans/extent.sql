with

{% include "steps/run.sql" %}
extent as (
    select min(score) as worst, max(score) as best
    from run_rows
)

select worst, best
from extent

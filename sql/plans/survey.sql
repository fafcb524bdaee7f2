with

{% include "steps/run.sql" %}
rankings as (
    select count(*) as documents
    from run_rows
    group by {{ keys }}
)

select
    count(*) as rankings,
    coalesce(sum(documents), 0) as documents
from rankings

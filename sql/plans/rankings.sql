{# What is known of each ranking is asked for again and again: by the choice of a plan, the statement and the counts. #}
create temp table {{ names.rankings | ident }} as
with

{% include "steps/run.sql" %}
{% include "steps/found_queries.sql" %}
rankings as (
    select *
    from found_queries
)

select *
from rankings

with

{% include "steps/run.sql" %}
rankings as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        count(*) as documents
    from run_rows
    group by {{ keys }}
),

found as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        count(*) as hits
    from {{ names.hits | ident }}
    group by {{ keys }}
)

select coalesce(sum(rankings.documents * found.hits), 0) as comparisons
from rankings
inner join found
    on rankings.query_id = found.query_id{% if several %} and rankings.system = found.system{% endif %}


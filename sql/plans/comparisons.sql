with

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

select
    coalesce(sum(rankings.returned * found.hits), 0) as comparisons,
    coalesce(sum(found.hits), 0) as hits
from {{ names.rankings | ident }} as rankings
inner join found
    on rankings.query_id = found.query_id{% if several %} and rankings.system = found.system{% endif +%}

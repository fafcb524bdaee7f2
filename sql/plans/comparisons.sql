{% from "macros/keys.sql" import one_ranking with context %}
with

found as (
    select
        {{ keys }},
        count(*) as hits
    from {{ names.hits | ident }}
    group by {{ keys }}
)

select
    coalesce(sum(rankings.returned * found.hits), 0) as comparisons,
    coalesce(sum(found.hits), 0) as hits
from {{ names.rankings | ident }} as rankings
inner join found
    on {{ one_ranking("rankings", "found") }}

{#
title = "a system and the baseline share no query"
input = "run"
ids = "query_id"
message = "no query has results in both {system} and {baseline}: {system} has {found}, {baseline} has {beside}; ids are compared as text, so padding and prefixes count, and parts of one run are read as one if the pattern is quoted (cases: {findings})"
#}
with

found_queries as (
    select
        cast(system as {{ text }}) as system,
        cast(query_id as {{ text }}) as query_id
    from {{ run }}
    group by cast(system as {{ text }}), cast(query_id as {{ text }})
)

select
    changed.system as system,
    {{ baseline | literal }} as baseline,
    min(changed.query_id) as found,
    (select min(query_id) from found_queries where system = {{ baseline | literal }}) as beside
from found_queries as changed
left join found_queries as original
    on changed.query_id = original.query_id and original.system = {{ baseline | literal }}
where changed.system <> {{ baseline | literal }}
group by changed.system
having count(original.query_id) = 0

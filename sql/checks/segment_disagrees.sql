{#
title = "run and judgments disagree on the segment or weight of a query"
input = "run"
message = "run and judgments disagree on {column} (cases: {findings}): query {query_id} has {found} in the run and {judged} in the judgments; write run.{column} or qrels.{column}"
#}
select
    found_queries.query_id as query_id,
    cast(found_queries.described as {{ text }}) as found,
    cast(judged_queries.described as {{ text }}) as judged
from (
    select
        cast(query_id as {{ text }}) as query_id,
        max({% if number %}try_cast({{ column | ident }} as {{ double }}){% else %}cast({{ column | ident }} as {{ text }}){% endif %}) as described
    from {{ run }}
    group by cast(query_id as {{ text }})
) as found_queries
inner join (
    select
        cast(query_id as {{ text }}) as query_id,
        max({% if number %}try_cast({{ column | ident }} as {{ double }}){% else %}cast({{ column | ident }} as {{ text }}){% endif %}) as described
    from {{ judged }}
    group by cast(query_id as {{ text }})
) as judged_queries
    on found_queries.query_id = judged_queries.query_id
where found_queries.described <> judged_queries.described

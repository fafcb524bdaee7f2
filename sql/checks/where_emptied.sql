{#
title = "--where removes whole judged queries"
input = "run"
exit = "usage"
message = "{findings} of {judged:judged query|judged queries} lost every row to {option:where}, such as query {query_id}; say what that is: {option:query_set shared} leaves {findings:~it|them} out, {option:query_set judged} counts {findings:~it|them} as 0"
#}
select
    judged_queries.query_id,
    (select count(distinct query_id) from {{ judged }}) as judged
from (select distinct cast(query_id as {{ text }}) as query_id from {{ judged }}) as judged_queries
inner join (select distinct cast(query_id as {{ text }}) as query_id from {{ unfiltered }}) as all_queries
    on judged_queries.query_id = all_queries.query_id
left join (select distinct cast(query_id as {{ text }}) as query_id from {{ run }}) as kept_queries
    on judged_queries.query_id = kept_queries.query_id
where kept_queries.query_id is null

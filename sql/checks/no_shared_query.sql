{#
title = "run and judgments share no query"
input = "run"
ids = "query_id"
message = "no query has both results and judgments: the run has {found} ({found_type}), the judgments have {judged} ({judged_type}); ids are compared as text, so padding and prefixes count"
#}
select
    (select min(cast(query_id as {{ text }})) from {{ run }}) as found,
    (select replace(lower(typeof(min(query_id))), 'string', 'varchar') from {{ run }}) as found_type,
    (select min(cast(query_id as {{ text }})) from {{ judged }}) as judged,
    (select replace(lower(typeof(min(query_id))), 'string', 'varchar') from {{ judged }}) as judged_type
where
    not exists (
        select 1
        from (select distinct cast(query_id as {{ text }}) as query_id from {{ run }}) as found_queries
        inner join (select distinct cast(query_id as {{ text }}) as query_id from {{ judged }}) as judged_queries
            on found_queries.query_id = judged_queries.query_id
    )

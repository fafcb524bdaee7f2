-- how many of the queries of a run have judgments, and the other way round
select
    (select count(*) from (select distinct cast({{ run.query_id | ident }} as varchar) as query_id from {{ run.reader }})) as of_run,
    (select count(*) from (select distinct cast({{ judged.query_id | ident }} as varchar) as query_id from {{ judged.reader }})) as of_judgments,
    (
        select count(*)
        from (
            select distinct cast({{ run.query_id | ident }} as varchar) as query_id
            from {{ run.reader }}
            intersect
            select distinct cast({{ judged.query_id | ident }} as varchar) as query_id
            from {{ judged.reader }}
        )
    ) as of_both

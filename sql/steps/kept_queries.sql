-- how many results are left where the unjudged are removed
kept_queries as (
    select
        {{ keys }},
        count(*) as kept
    from ranked
    group by {{ keys }}
),

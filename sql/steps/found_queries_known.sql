-- the queries that have results
found_queries as (
    select *
    from {{ rankings | ident }}
),

{# DataFusion takes the column of a grouping for a key, even where it is joined with every query. #}
-- the systems
system_rows as (
    select distinct system
    from {{ systems_in | ident }}
),

create temp table {{ name | ident }} as
select
    unnest(?::varchar[]) as query_id,
    unnest(?::varchar[]) as doc_id,
    unnest(?::double[]) as {{ value | ident }}

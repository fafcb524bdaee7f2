create temp table {{ name | ident }} as
select
    unnest(?::bigint[]) as queries,
    unnest(?::double[]) as critical

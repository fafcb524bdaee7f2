create temp table {{ name | ident }} as
select
    unnest(?::double[]) as degrees,
    unnest(?::double[]) as critical

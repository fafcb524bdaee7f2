-- no metric needs draws
select
    cast(null as integer) as contrast,
    cast(null as bigint) as query,
    cast(null as varchar) as metric,
    cast(null as bigint) as draws,
    cast(null as double) as total,
    cast(null as double) as squares
where false

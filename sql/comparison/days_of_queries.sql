-- the day of each query of a period; none where it has several
select
    cast({{ query_id | ident }} as varchar) as query_id,
    case when min(cast({{ day }} as date)) = max(cast({{ day }} as date)) then min(cast({{ day }} as date)) end as day
from {{ relation }}
where {{ condition }}
group by cast({{ query_id | ident }} as varchar)

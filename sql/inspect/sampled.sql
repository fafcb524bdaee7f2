-- the queries that are looked at more closely: those of the smallest MD5, so that every input has the same ones
select distinct cast({{ query_id | ident }} as varchar) as query_id
from {{ reader }}
where {{ query_id | ident }} is not null
order by md5(cast(query_id as varchar))
limit {{ most }}

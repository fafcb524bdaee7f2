-- the rows of an export without a day
select count(*) as rows_without
from {{ export }}
where {{ day | ident }} is null

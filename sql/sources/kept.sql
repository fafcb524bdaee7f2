create table {{ name | ident }} as
select *
from {{ reader }}

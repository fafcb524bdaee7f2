create table {{ database | ident }}.results as
from {{ reader }}
limit 0

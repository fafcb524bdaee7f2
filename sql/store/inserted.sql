insert into {{ database | ident }}.results by name
from {{ reader }}

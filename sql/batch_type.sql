{# The column of the days, without a row. #}
select every_row.{{ partition.column | ident }}
from {{ partition.relation }} as every_row
where 1 = 0

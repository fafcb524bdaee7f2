-- the rows of a table of positives that say of themselves that they are none
select count(*)
from {{ reader }}
where
    {{ column | ident }} is null
    or lower(trim(cast({{ column | ident }} as {{ text }}))) in ('', 'false', 'no', 'f', 'n')
    or try_cast({{ column | ident }} as {{ double }}) <= 0

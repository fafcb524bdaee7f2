-- how many days of a period have rows
select
    count(distinct cast({{ expression }} as date)) as days
from {{ relation }}
where {{ condition }}

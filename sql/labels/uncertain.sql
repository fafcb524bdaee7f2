-- how many labels have an interval that is wider than 0
select count(*) as uncertain
from {{ relation }}
where try_cast({{ high | ident }} as {{ double }}) > try_cast({{ low | ident }} as {{ double }})

create temp view {{ name | ident }} as
select *
from {{ relation }}
where {{ system | ident }} in ({% for system in systems %}{{ system | literal }}{% if not loop.last %}, {% endif %}{% endfor %})

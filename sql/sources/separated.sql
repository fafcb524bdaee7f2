{# An id that a separator would make several of. #}
select {{ name | ident }}
from {{ reader }}
where contains({{ name | ident }}, {{ separator | literal }})
limit 1

{# The first records say which columns there are. #}
select json_object_keys(line) as names
from {{ lines }}
where trim(line) <> ''
limit 1000

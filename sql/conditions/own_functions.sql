{# No function is called here that the caller may have put another in the place of. #}
select function_name
from system.main.duckdb_functions()
where not internal

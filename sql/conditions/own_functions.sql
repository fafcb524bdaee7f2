select min(function_name)
from duckdb_functions()
where not internal and list_contains({{ names | literal }}, lower(function_name))

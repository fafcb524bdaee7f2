select json_serialize_sql(cast($1 as varchar), skip_null := true, skip_empty := true, skip_default := true)

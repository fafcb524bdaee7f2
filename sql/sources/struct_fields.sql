describe select unnest({{ column | ident }}, max_depth := 2) from {{ reader }}

attach {{ path | literal }} as {{ name | ident }} (read_only)

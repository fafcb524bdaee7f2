cast({{ column | ident }} as varchar) = {{ value | literal }}

describe query select inline({{ column | ident }}) from {{ reader }}

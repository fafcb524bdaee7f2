cache lazy table {{ name | ident }} options ('storageLevel' 'MEMORY_AND_DISK') as
{{ statement }}

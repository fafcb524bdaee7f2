create temp table {{ name | ident }} as
{{ statement }}

insert into {{ name | ident }}
{{ statement }}

attach {{ path | literal }} as {{ name | ident }}{% if not written %} (read_only){% endif +%}

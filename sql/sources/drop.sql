{% if kind == "database" %}
detach {{ name | ident }}
{% elif kind == "view" %}
drop view if exists {{ name | ident }}
{% else %}
drop table if exists {{ name | ident }}
{% endif %}

{% if kind == "database" %}
detach {{ name | ident }}
{% else %}
drop {% if kind == "view" %}view{% elif kind == "macro" %}macro{% else %}table{% endif %} if exists {{ name | ident }}
{% endif %}

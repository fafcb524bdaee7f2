drop {% if kind == "view" %}view{% else %}table{% endif %} if exists temp.{{ name | ident }}

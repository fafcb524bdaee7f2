{% from "macros/keys.sql" import with_ideal with context %}
from {{ rows | ident }}
{% for ideal in ideals %}
{{ with_ideal(rows, ideal) }}
{% endfor %}

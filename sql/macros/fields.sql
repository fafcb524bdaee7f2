{# A field inside the structs of a column, or, in JSON, inside its objects. #}
{% macro field_of(value, keys, json=false, pointer=none) %}
{% if json %}json_extract({{ value }}, {{ pointer | literal }})
{%- else %}{% for key in keys %}struct_extract({% endfor %}{{ value }}{% for key in keys %}, {{ key | literal }}){% endfor %}
{%- endif %}
{% endmacro %}
{# A column of JSON as a value of JSON where it is one with something inside, and not a text. #}
{% macro value_of(name, json) %}
{% if json %}case when {{ (name ~ " json type") | ident }} in ('OBJECT', 'ARRAY') then {{ name | ident }} end
{%- else %}{{ name | ident }}
{%- endif %}
{% endmacro %}

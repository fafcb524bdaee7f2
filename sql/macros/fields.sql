{# A field inside the structs of a column, or, in JSON, inside its objects. #}
{% macro field_of(value, keys, json=false, pointer=none) %}
{% if json %}json_extract({{ value }}, {{ pointer | literal }})
{%- else %}{% for key in keys %}struct_extract({% endfor %}{{ value }}{% for key in keys %}, {{ key | literal }}){% endfor %}
{%- endif %}
{% endmacro %}
{# A field of objects in texts, which is to be one value. #}
{% macro value_in_text(name, pointer) %}
case
            when json_type({{ value_of(name, false, true) }}, {{ pointer | literal }}) not in ('OBJECT', 'ARRAY')
                then json_extract_string({{ value_of(name, false, true) }}, {{ pointer | literal }})
        end
{%- endmacro %}
{# A column of JSON as a value of JSON where it is one with something inside, and not a text. #}
{% macro value_of(name, json, texts=false) %}
{% if texts %}case when json_valid({{ name | ident }}) then cast({{ name | ident }} as json) end
{%- elif json %}case when {{ (name ~ " json type") | ident }} in ('OBJECT', 'ARRAY') then {{ name | ident }} end
{%- else %}{{ name | ident }}
{%- endif %}
{% endmacro %}

{# Likewise, of texts. #}
{% macro texts_of(name, json, separator) %}
{% if json %}from_json({{ name | ident }}, '["varchar"]'){% else %}cast({{ list_of(name, json, separator) }} as varchar[]){% endif %}
{% endmacro %}

{# The list of a column: of JSON, as it is, or a text split at a separator. #}
{% macro list_of(name, json, separator) %}
{% if json %}from_json({{ name | ident }}, '["json"]')
{%- elif separator %}
case
                when trim({{ name | ident }}, ' ') <> ''
                    then list_transform(string_split({{ name | ident }}, {{ separator | literal }}), lambda part: trim(part, ' '))
            end
{%- else %}{{ name | ident }}
{%- endif %}
{% endmacro %}

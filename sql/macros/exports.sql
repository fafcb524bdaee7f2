{# What exports of analytics say: fields inside of columns, and which list an event is of. #}

{# A column of lists or structs as values of the fields that are read: from the types of Parquet, or from a text of JSON. #}
{% macro inside(column, texts, fields) -%}
from_json({% if texts %}nullif(trim(cast({{ column | ident }} as varchar)), ''){% else %}to_json({{ column | ident }}){% endif %}, {{ fields | literal }})
{%- endmacro %}

{# The text that it is called with, where that says something: GA4 writes (not set) where nothing was sent. #}
{% macro present() -%}
{% set value = caller() %}
case when trim({{ value }}) not in ('', '(not set)') then {{ value }} end
{%- endmacro %}

{# A parameter of an event of GA4, whatever type its value was taken for: a search for 501 is a number. #}
{% macro param(key) -%}
list_extract(list_transform(list_filter(params, lambda one: one.key = {{ key | literal }}), lambda one: coalesce(one.value.string_value, one.value.int_value, one.value.float_value, one.value.double_value)), 1)
{%- endmacro %}

{# What the name of an event says; a search where it says nothing else. #}
{% macro action_of(name, actions) -%}
case{% for action, names in actions.items() %}{% if names %} when {{ name | ident }} in {{ names | literal }} then {{ action | literal }}{% endif %}{% endfor %} else 'search' end
{%- endmacro %}

{# Whether a row says whose it is, and when it was. #}
{% macro is_whole() %}(user_id is not null and session_id is not null and time is not null){% endmacro %}

{# Under which keys a view is found, and under which a click looks for it: of lists whose ids are equal; where one of them
   has no id, of those whose names are; where these cannot be compared either, of any list. #}
{% macro keys_of_view() -%}
case
            when list_id is not null and list_name is not null then ['id ' || list_id, 'name ' || list_name, 'any']
            when list_id is not null then ['id ' || list_id, 'has no name', 'any']
            when list_name is not null then ['name ' || list_name, 'name alone ' || list_name, 'has no id', 'any']
            else ['has neither', 'any']
        end
{%- endmacro %}
{% macro keys_of_click() -%}
case
            when list_id is not null and list_name is not null then ['id ' || list_id, 'name alone ' || list_name, 'has neither']
            when list_id is not null then ['id ' || list_id, 'has no id', 'has neither']
            when list_name is not null then ['name ' || list_name, 'has no name', 'has neither']
            else ['any']
        end
{%- endmacro %}

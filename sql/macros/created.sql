{# How a relation of the session is made: with its rows, or as what reads them. #}
{% macro created(name, loaded=true) %}create temp {% if loaded %}table{% else %}view{% endif %} {{ name | ident }}{% endmacro %}

{# A relevance as every step counts it: what a convention makes of it stands here alone, and sees all conventions. #}
{% macro relevance_of(column) %}cast({{ column | ident }} as {{ double }}){% endmacro %}

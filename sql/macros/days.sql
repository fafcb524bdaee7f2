{# Days, as an engine without a type for them writes them too: as texts. #}

{% macro day_of(column) %}
{% if typed %}cast(cast({{ column | ident }} as timestamp) as date){% else %}date({{ column | ident }}){% endif %}
{% endmacro %}

{# Whether a query has a day: the rows of an evaluation say in words where it has none. #}
{% macro has_day(column) %}
cast({{ column | ident }} as {{ text }}) not in ('(none)', '(no results)')
{%- endmacro %}

{% macro day_literal(day) %}
{% if typed %}cast({{ day | literal }} as date){% else %}{{ day | literal }}{% endif %}
{% endmacro %}

{# The condition that a row is of a period. #}
{% if kind %}cast({{ expression }} as {{ kind }}) between cast({{ first | literal }} as {{ kind }}) and cast({{ last | literal }} as {{ kind }}){% else %}cast({{ expression }} as varchar) = {{ first | literal }}{% endif %}

{% from "macros/days.sql" import day_of, has_day, day_literal %}
(
    select
        *
    from {{ relation }}
    where
        {{ has_day(day) }}
        and {{ day_of(day) }} between {{ day_literal(first) }} and {{ day_literal(last) }}
{% if system is not none %}
        and system = {{ system | literal }}
{% endif %}
{% for column, value in segment %}
        and {{ column | ident }} is not distinct from {% if value is none %}null{% else %}{{ value | literal }}{% endif +%}
{% endfor %}
)

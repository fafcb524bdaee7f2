{# Student's t where signs are drawn: the squares of the differences add up alike whatever their signs. #}

{# The square of t, of the sum of so many differences and of their squares; `side` keeps the sums above 0 (1), or below (-1). #}
{% macro squared_t(sum, squares, units, side) %}
case
            when {{ squares }} = 0{% if side %} or {{ sum }} {% if side > 0 %}<={% else %}>={% endif %} 0{% endif %} then 0
            when {{ units }} * {{ squares }} <= ({{ sum }}) * ({{ sum }}) then cast('infinity' as double)
            else ({{ units }} - 1) * ({{ sum }}) * ({{ sum }}) / ({{ units }} * {{ squares }} - ({{ sum }}) * ({{ sum }}))
        end
{%- endmacro %}

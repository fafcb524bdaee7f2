{# The means of queries, and the values of whole systems where there are some. #}
{% macro means(summary, overall) %}
from {{ summary }}{% if overall %} union all by name from {{ overall }}{% endif %}
{%- endmacro %}

{# Whose interval a mean has: Student's, Wilson's where every value is 0 or 1, Hall's where the mean is skewed, as the error
   of Student's grows with the square of the skewness. Under weights that differ Hall's covers less than Student's. #}
{% macro method_of(tolerated) %}
case
            when critical.critical is null or stderr is null then null
            when is_binary = 1 then 'wilson'
            when abs(skewness) > {{ tolerated | literal }} and effective > queries - 1e-6 then 'hall'
            else 'student'
        end
{%- endmacro %}

{# Its lower end, of sign -1, or its upper one, of sign 1. Hall's is at the t that t + a t^2 / 3 + a^2 t^3 / 27 + a / 6,
   with the skewness a, takes to the quantile at the other end: a cube root (cbrt of DuckDB 2.0 fails below 0). #}
{% macro end_of(sign, z, cube) %}
case method
            when 'wilson' then {{ wilson(sign, z) }}
            when 'hall' then value - stderr * 3 / skewness * (sign({{ cube | ident }}) * power(abs({{ cube | ident }}), 1.0 / 3) - 1)
            when 'student' then value + {{ sign }} * critical * stderr
        end
{%- endmacro %}

{% macro wilson(sign, z) %}
(value + power({{ z | literal }}, 2) / (2 * effective) + {{ sign }} * {{ z | literal }} * sqrt(greatest(value * (1 - value), 0) / effective + power({{ z | literal }} / (2 * effective), 2)))
                / (1 + power({{ z | literal }}, 2) / effective)
{%- endmacro %}

{# The means of queries, and the values of whole systems where there are some. #}
{% macro means(summary, overall) %}
from {{ summary }}{% if overall %} union all by name from {{ overall }}{% endif %}
{%- endmacro %}

{# Whose interval a mean has. Where all values are alike they do not show how much they vary. Two values that nearly all
   are one show it too little, and the rare one may not be the only other: the ends are the outer ones of Wilson's and
   Student's. The error of Student's grows with the square of the skewness; under weights that differ Hall's covers less. #}
{% macro method_of(tolerated, steady) %}
case
            when critical.critical is null or stderr is null then null
            when least in (0, 1) and most in (0, 1) then 'wilson'
            when stderr <= {{ steady | literal }} * abs(value) then 'none'
            when least is not null then 'two values'
            when abs(skewness) > {{ tolerated | literal }} and effective > queries - 1e-6 then 'hall'
            else 'student'
        end
{%- endmacro %}

{# Its lower end, of sign -1, or its upper one, of sign 1. Hall's is at the t that t + a t^2 / 3 + a^2 t^3 / 27 + a / 6,
   with the skewness a, takes to the quantile at the other end: a cube root (cbrt of DuckDB 2.0 fails below 0). #}
{% macro end_of(sign, z, cube) %}
case method
            when 'wilson' then {{ wilson(sign, z) }}
            when 'two values' then {% if sign < 0 %}least{% else %}greatest{% endif %}(value + {{ sign }} * critical * stderr, least + (most - least) * {{ wilson(sign, z, true) }})
            when 'hall' then value - stderr * 3 / skewness * (sign({{ cube | ident }}) * power(abs({{ cube | ident }}), 1.0 / 3) - 1)
            when 'student' then value + {{ sign }} * critical * stderr
        end
{%- endmacro %}

{% macro wilson(sign, z, scaled=false) %}
{% set share %}{% if scaled %}((value - least) / (most - least)){% else %}value{% endif %}{% endset %}
({{ share }} + power({{ z | literal }}, 2) / (2 * effective) + {{ sign }} * {{ z | literal }} * sqrt(greatest({{ share }} * (1 - {{ share }}), 0) / effective + power({{ z | literal }} / (2 * effective), 2)))
                / (1 + power({{ z | literal }}, 2) / effective)
{%- endmacro %}

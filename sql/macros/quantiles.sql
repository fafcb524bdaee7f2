{# What statements compute of distributions where an engine has no function for it. #}

{# The quantile of Student's t of that of the normal distribution, to four digits from 10 degrees of freedom on (Abramowitz and
   Stegun 26.7.5). #}
{% macro student(z, degrees) %}
{% set degrees %}nullif({{ degrees }}, 0){% endset %}
({{ z | literal }} + ({{ ((z ** 3 + z) / 4) | literal }} + ({{ ((5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96) | literal }} + {{ ((3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384) | literal }} / {{ degrees }}) / {{ degrees }}) / {{ degrees }})
{%- endmacro %}

{# e to a power, which some engines refuse where it is too small or too large to be a number; between parentheses. #}
{% macro exponential(power) %}
(
            case
                when {{ power }} > 690 then 1e300
                when {{ power }} > -700 then exp({{ power }})
                else 0
            end
        )
{%- endmacro %}

{# The standard normal deviate of F, `ratio`, of so many degrees of freedom, `above` and `below` (E. Paulson, Annals of
   Mathematical Statistics 13, 1942). #}
{% macro normal_of_f() %}
((1 - 2e0 / (9 * below)) * power(ratio, 1e0 / 3) - 1 + 2e0 / (9 * above))
                / sqrt(2e0 / (9 * below) * power(ratio, 2e0 / 3) + 2e0 / (9 * above))
{%- endmacro %}

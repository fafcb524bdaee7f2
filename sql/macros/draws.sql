{# How often a query stands in a replicate, by ten random bits: Poisson's distribution in 1024ths, of mean 1 and variance 1. #}
{% macro times_of() %}
case
            when bits < 375 then 0
            when bits < 755 then 1
            when bits < 943 then 2
            when bits < 1004 then 3
            when bits < 1020 then 4
            when bits < 1023 then 5
            else 6
        end
{%- endmacro %}

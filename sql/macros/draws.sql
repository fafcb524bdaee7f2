{# How often a query stands in a replicate, by ten random bits: Poisson's distribution in 1024ths, of mean 1 and variance 1. #}
{% macro times_of() %}
case
            when ten < 375 then 0
            when ten < 755 then 1
            when ten < 943 then 2
            when ten < 1004 then 3
            when ten < 1020 then 4
            when ten < 1023 then 5
            else 6
        end
{%- endmacro %}

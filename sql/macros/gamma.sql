{# The logarithm of the gamma function, less half of that of 2 pi, of a column that is above 0: Stirling's series (DLMF 5.11.1)
   at eight more, which leaves an error of 3e-10. No engine but DuckDB has it. #}
{% macro log_gamma(column) -%}
{% set x = column | ident -%}
({{ x }} + 7.5) * ln({{ x }} + 8) - ({{ x }} + 8) + 1 / (12 * ({{ x }} + 8)) - 1 / (360 * ({{ x }} + 8) * ({{ x }} + 8) * ({{ x }} + 8)) - ln({{ x }} * ({{ x }} + 1) * ({{ x }} + 2) * ({{ x }} + 3) * ({{ x }} + 4) * ({{ x }} + 5) * ({{ x }} + 6) * ({{ x }} + 7))
{%- endmacro %}

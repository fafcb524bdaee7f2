{# Labels that are drawn at random: the same for a seed, a draw and a document, whatever else is drawn. #}

{# What tells a label from others; the length keeps the end of the query from the beginning of the document. #}
{% macro key_of(subtopics) %}
length(queries.query_id) || ':' || queries.query_id || ':' || {% if subtopics %}length({{ "doc_id" | ident }}) || ':' || {% endif %}{{ "doc_id" | ident }}{% if subtopics %} || ':' || {{ "subtopic" | ident }}{% endif %}
{%- endmacro %}

{# One of four uniform numbers, between 0 and 1, of the 128 bits of a hash. #}
{% macro uniform_of(bits, part) %}
(cast(({{ bits | ident }} >> {{ 32 * part }}) & 4294967295 as double) + 0.5) / 4294967296
{%- endmacro %}

{# The logarithm of a number of a Gamma distribution with scale 1, of a normal and a uniform number. That of a shape larger
   by 1 is the cube of a normal one, nearly (Wilson and Hilferty 1931: mean and deviation to 0.2 % from shape 1 on); times
   the power of a uniform number it is that of the shape itself, exactly (Stuart 1962), however small. #}
{% macro log_gamma_of(shape, normal, uniform) %}
ln({{ shape | ident }} + 1) + 3 * ln(greatest(1 - 1 / (9 * ({{ shape | ident }} + 1)) + {{ normal | ident }} / (3 * sqrt({{ shape | ident }} + 1)), 1e-3)) + ln({{ uniform | ident }}) / {{ shape | ident }}
{%- endmacro %}

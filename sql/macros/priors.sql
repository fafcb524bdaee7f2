{# The logarithm of a prior of everything that a table has learned; a part of it that is 0 is left out, as the logarithm of 0
   times 0 is no number. #}
{% macro of_prior(prior, learned, relation) %}
(
        select sum({% for name in learned %}{% if prior.a %}{{ prior.a | literal }} * ln({{ name | ident }}) + {% endif %}{% if prior.b %}{{ prior.b | literal }} * ln(1 - {{ name | ident }}) + {% endif %}{% endfor %}0)
        from {{ relation }}
    )
{%- endmacro %}

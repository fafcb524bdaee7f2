{# What a document is worth, for what was done with it. #}
{% macro value_of(weights) %}{% for action, weight in weights.items() %}{{ weight | literal }} * {{ action | ident }}{% if not loop.last %} + {% endif %}{% endfor %}{% endmacro %}

{# How likely a list picks a document of its rank, of those that were not picked before; 0 where it has no such document. #}
{% macro chance_of(rank, lengths, tau) -%}
coalesce(
            power({{ rank | ident }}, {{ -tau | literal }}) / nullif(
                {{ lengths | ident }}.total - coalesce(sum(power({{ rank | ident }}, {{ -tau | literal }})) over (
                    partition by shown.impression_id order by shown.position asc rows between unbounded preceding and 1 preceding
                ), 0),
                0
            ),
            0
        )
{%- endmacro %}

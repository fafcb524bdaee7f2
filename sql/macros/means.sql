{# What is averaged of a query: its value, or the logarithm of that for a geometric mean. #}
{% macro term_of(measure) %}
{% if measure.kind == "geometric" %}ln(case when {{ measure.column | ident }} < 0.00001 then 0.00001 else {{ measure.column | ident }} end)
{%- else %}{{ measure.column | ident }}
{%- endif %}
{% endmacro %}

{# The mean of metrics of some kinds: a sum where they are counts, and the number whose logarithm the mean is. #}
{% macro by_kind(kinds, weighed) %}
{% if kinds | length == 1 %}{{ of_kind(kinds[0].kind, weighed) }}
{%- else %}case
{%- for each in kinds %}
{% if loop.last %} else{% else %} when metric in ({{ each.metrics }}) then{% endif %} {{ of_kind(each.kind, weighed) }}
{%- endfor %} end
{%- endif %}
{% endmacro %}
{% macro of_kind(kind, weighed) %}
{% set mean %}{% if weighed %}max(mean){% else %}avg(value){% endif %}{% endset %}
{% if kind == "sum" %}sum(value){% elif kind == "geometric" %}exp({{ mean }}){% else %}{{ mean }}{% endif %}
{% endmacro %}

{# What a row has of its metric. #}
{% macro by_metric(measures, between) %}
case metric{% for measure in measures %}{{ between }}when {{ measure.text | literal }} then {{ caller(measure) }}{% endfor %} end
{%- endmacro %}

{# What weighs a query in the mean of a metric, as a share of the largest weight, whose sum could be too large: nothing where
   that is 0. #}
{% macro weight_of(measure, within) %}
{% if measure.factors %}nullif({% for name in measure.factors %}{{ known_weight(measure, name, within) }} / nullif({% if measure.averaged and name == measure.rows_weight %}coalesce(max({{ name | ident }}) over ({{ within }}), 1){% else %}max({{ name | ident }}) over ({{ within }}){% endif %}, 0){% if not loop.last %} * {% endif %}{% endfor %}, 0){% else %}1{% endif %}
{% endmacro %}

{# A weight of a query: where its documents give none, what the others that have one weigh on average, or 1 where none has. #}
{% macro known_weight(measure, name, within) %}
{% if measure.averaged and name == measure.rows_weight %}coalesce({{ name | ident }}, avg(nullif({{ name | ident }}, 0)) over ({{ within }}), 1){% else %}{{ name | ident }}{% endif %}
{% endmacro %}

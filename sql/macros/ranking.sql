{# The words that metrics and steps are written in. Every condition on a rank goes through `at`. #}

{# What a column holds down to place k, weighted by a discount: 0 below k, so that nothing is lost in a null. #}
{% macro at(column, k=none, discount=none) %}
{% if k is not none %}case when place <= {% if k is string %}{{ k | ident }}{% else %}{{ k }}{% endif %} then {% endif %}
{{- column | ident }}{% if discount is not none %} * {{ discount | ident }}{% endif %}
{%- if k is not none %} else 0 end{% endif %}
{% endmacro %}

{# The sum over the ranking. #}
{% macro total(value) %}sum({{ value }}){% endmacro %}

{# The largest value in the ranking. #}
{% macro best(value) %}max({{ value }}){% endmacro %}

{# A total of the query, which stands in one row of it. #}
{% macro of_query(column) %}max({{ column | ident }}){% endmacro %}

{# The smaller of a total and the cutoff. #}
{% macro smaller(value, k) %}case when {{ value }} < {{ k }} then {{ value }} else {{ k }} end{% endmacro %}

{# What a relevance is worth: nothing where it is negative. #}
{% macro gain_of(gain) %}
{% if gain.kind == "linear" %}case when relevance > 0 then relevance else 0 end
{%- elif gain.kind == "exp2" %}case when relevance > 0 then power(2.0, relevance) - 1 else 0 end
{%- else %}cast(case
{%- for pair in gain.pairs %} when relevance = {{ pair[0] | literal }} then {{ pair[1] | literal }}{% endfor %} else 0 end as {{ double }})
{%- endif %}
{% endmacro %}

{# Whether a relevance has a positive gain. #}
{% macro has_gain(gain) %}
{% if gain.kind == "table" %}relevance in (
{%- for relevance in gain.worth %}{{ relevance | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
{%- else %}relevance > 0
{%- endif %}
{% endmacro %}

{# The weight of a place. #}
{% macro weight_of(place, discount) %}
{% if discount == "log2" %}ln(2.0) / ln({{ place | ident }} + 1)
{%- elif discount == "ln" %}1 / ln({{ place | ident }} + 1)
{%- elif discount == "letor" %}case when {{ place | ident }} <= 2 then 1 else ln(2.0) / ln({{ place | ident }}) end
{%- else %}1
{%- endif %}
{% endmacro %}

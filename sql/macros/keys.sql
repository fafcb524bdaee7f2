{# What tells rankings apart: the query, and the system where there are several. #}

{# The columns of these keys, of a relation next to others. #}
{% macro keys_of(relation) %}
{% for key in key_names %}{{ relation | ident }}.{{ key | ident }} as {{ key | ident }}{% if not loop.last %}, {% endif %}{% endfor %}
{% endmacro %}

{# The same without names of their own. #}
{% macro keys_in(relation) %}
{% for key in key_names %}{{ relation | ident }}.{{ key | ident }}{% if not loop.last %}, {% endif %}{% endfor %}
{% endmacro %}

{# The condition that rows of two relations are of one ranking. #}
{% macro one_ranking(left, right) %}
{% for key in key_names | reverse %}{{ left | ident }}.{{ key | ident }} = {{ right | ident }}.{{ key | ident }}{% if not loop.last %} and {% endif %}{% endfor %}
{% endmacro %}

{# An ideal ranking joined to the queries: one that is the same for all, one of each ranking, or of each query. #}
{% macro with_ideal(rows, ideal, inner=false) %}
{% set join %}{% if inner %}inner{% else %}left{% endif %}{% endset %}
{% if ideal.kind == "full" %}cross join {{ ideal.rows | ident }}
{%- elif ideal.kind == "retrieved" %}{{ join }} join {{ ideal.rows | ident }} on {{ one_ranking(rows, ideal.rows) }}
{%- else %}{{ join }} join {{ ideal.rows | ident }} on {{ rows | ident }}.query_id = {{ ideal.rows | ident }}.query_id
{%- endif %}
{% endmacro %}

{# What is added up exactly, as whole numbers, whatever the order: 1 over a rank. #}
{% macro inverse() %}cast(round(1e15 / rank) as bigint){% endmacro %}

{# What a document adds to the sum of the precisions next to the relevant ones of its ranking: its own precision, and
   1 / rank for each of them that stands below. #}
{% macro added(rel, k) %}
{% set ranking %}partition by system, query_id{% endset %}
{% set counted %}case when relevance >= {{ rel | literal }}{% if k %} and rank <= {{ k }}{% endif %} then {% endset %}
{% if k %}case when rank <= {{ k }} then {% endif %}(1 + coalesce(sum({{ counted }}1 else 0 end) over (
            {{ ranking }} order by rank asc rows between unbounded preceding and 1 preceding
        ), 0)) / cast(rank as {{ double }})
        + coalesce(sum({{ counted }}{{ inverse() }} else 0 end) over (
            {{ ranking }} order by rank asc rows between 1 following and unbounded following
        ), 0) / 1e15{% if k %} else 0 end{% endif +%}
{%- endmacro %}

{# How much two systems differ by a document at most; one that does not hold it has nothing of it. #}
{% macro spread(column, systems) %}
max({{ column | ident }}){% if systems > 1 %} - case when count(*) < {{ systems }} then 0 else min({{ column | ident }}) end{% endif %}
{% endmacro %}

{# What is known of the queries; imported with the context. #}

{# What a query carries from the inputs that have it: a segment, named where none has, or a weight. #}
{% macro known_of(column) %}
{% if column.is_number and column.sources | length == 1 %}{{ known_in(column, column.sources[0]) }}
{%- else %}coalesce({% for source in column.sources %}{{ known_in(column, source) }}{% if not (loop.last and column.is_number) %}, {% endif %}{% endfor %}
{% if not column.is_number %}case when found.query_id is null then '(no results)' else '(none)' end{% endif %})
{%- endif %}
{% endmacro %}

{# The same of one input: a query is the same for every system. #}
{% macro known_in(column, source) %}
{% if source == "asked" %}cast(asked.{{ column.name | ident }} as {% if column.is_number %}{{ double }}{% else %}{{ text }}{% endif %})
{%- elif source == "judged" and carried_beside %}judged_queries.{{ column.alias | ident }}
{%- elif source == "found" and several %}max(found.{{ column.alias | ident }}) over (partition by {{ query_base }}.query_id)
{%- else %}{{ source | ident }}.{{ column.alias | ident }}
{%- endif %}
{% endmacro %}

{# How many documents a query has, down to the depth of the rankings. #}
{% macro returned_of() %}
{% if unjudged == "remove" %}coalesce(kept.kept, 0)
{%- elif depth %}case when found.returned > {{ depth }} then {{ depth }} else coalesce(found.returned, 0) end
{%- else %}coalesce(found.returned, 0)
{%- endif %}
{% endmacro %}

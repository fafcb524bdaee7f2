{# Rows of several kinds below one another, each with what it holds. Imported with the context. #}
{% from "macros/keys.sql" import keys_of, with_ideal with context %}

{# The first branch states the types, and no other does: DuckDB and ClickHouse take no others than those. #}
{% macro stacked(stack) %}
{% for branch in stack.branches %}
{% set first = loop.first %}
    select
        {%+ if branch.joined %}{{ keys_of(branch.rows) }}{% else %}{{ keys }}{% endif %},
{% for column in stack.columns %}
        {%+ if column.name in branch.held %}{{ branch.held[column.name] }}{% elif first %}cast(null as {{ column.type }}){% else %}null{% endif %} as {{ column.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ branch.rows | ident }}
{% for ideal in branch.ideals %}
    {{ with_ideal(branch.rows, ideal, branch.inner) }}
{% endfor %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
{% endmacro %}

{% macro reader(files) %}
read_parquet({{ files | literal }}, hive_partitioning = {{ hive | literal }}, binary_as_string = true)
{%- endmacro %}
{% if groups | length == 1 %}
{{ reader(groups[0].files) }}
{%- else %}
(
{% for group in groups %}
    select
{% for column in group.columns %}
        {%+ if column.kind %}cast({{ column.name | ident }} as {{ column.kind }}){% else %}{{ column.name | ident }}{% endif %} as {{ column.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ reader(group.files) }}
{% if not loop.last %}
    union all by name
{% endif %}
{% endfor %}
)
{%- endif %}

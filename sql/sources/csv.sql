{% macro reader(group) %}
read_csv(
    {{ group.files | literal }},
    auto_detect = false,
    header = {{ header | literal }},
{% if group.before %}
    skip = {{ group.before }},
{% endif %}
    delim = {{ delimiter | literal }},
    quote = '"',
    escape = '"',
    hive_partitioning = {{ hive | literal }},
    columns = { {%- for name in group.names %}{{ name | ident }}: 'varchar'{% if not loop.last %}, {% endif %}{% endfor -%} }
)
{%- endmacro %}
{% if groups | length == 1 %}
{{ reader(groups[0]) }}
{%- else %}
(
{% for group in groups %}
    from {{ reader(group) | indent }}
{% if not loop.last %}
    union all by name
{% endif %}
{% endfor %}
)
{%- endif %}

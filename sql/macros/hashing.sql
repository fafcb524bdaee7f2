{# Random bits that are the same on every engine, for what is called `blocks` and `scaled`. #}

{# Sixty of the upper or lower bits of the MD5 of seed, block and query, read with the least byte first, or the eight between. #}
{% macro bits_of(seed, half) %}
{% if half == "upper" %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 68 as bigint)
{%- elif half == "middle" %}cast((md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 60) & 255 as bigint)
{%- else %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) & 1152921504606846975 as bigint)
{%- endif %}
{% endmacro %}

{# Sixty-four bits of the MD5 of a seed, a draw and what is drawn for. #}
{% macro chance_of(draw, drawn, seed) -%}
cast(md5_number({{ seed }} || ':' || {{ draw | ident }}{% for name in drawn %} || ':' || {{ name | ident }}{% endfor %}) & 18446744073709551615 as ubigint)
{%- endmacro %}

{# The group of chance of a unit, or of what stands alone where its unit is not known: the first of some columns that has a value.
   `groups` is a power of 2. #}
{% macro group_of(columns, seed, groups, relation=none) -%}
cast(md5_number({{ seed }} || ':' || coalesce({% for name in columns %}cast({% if relation %}{{ relation | ident }}.{% endif %}{{ name | ident }} as varchar){% if not loop.last %}, {% endif %}{% endfor %})) & {{ groups - 1 }} as bigint)
{%- endmacro %}

{# Random bits that are the same on every engine, for what is called `blocks` and `scaled`. #}

{# Sixty of the upper or lower bits of the MD5 of seed, block and query, read with the least byte first, or the eight between. #}
{% macro bits_of(seed, half) %}
{% if half == "upper" %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 68 as bigint)
{%- elif half == "middle" %}cast((md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 60) & 255 as bigint)
{%- else %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) & 1152921504606846975 as bigint)
{%- endif %}
{% endmacro %}

{# Sixty-four random bits of DuckDB for a draw and what is drawn for. A hash of several values is the exclusive or of theirs, so
   that bits of one draw would be those of another with some turned: the hash of that is not. #}
{% macro chance_of(draw, drawn, seed) -%}
hash(xor(hash({{ draw | ident }}, {{ seed }}), hash({% for name in drawn %}{{ name | ident }}, {% endfor %}0)))
{%- endmacro %}

{# The group of chance of a unit, or of what stands alone where its unit is not known: the first of some columns that has a value. #}
{% macro group_of(columns, seed, groups) -%}
hash({% if columns | length > 1 %}coalesce({% endif %}{% for name in columns %}cast({{ name | ident }} as varchar){% if not loop.last %}, {% endif %}{% endfor %}{% if columns | length > 1 %}){% endif %}, {{ seed }}) % {{ groups }}
{%- endmacro %}

{# Random bits that are the same on every engine, for what is called `blocks` and `scaled`. #}

{# Sixty of the upper or lower bits of the MD5 of seed, block and query, read with the least byte first, or the eight between. #}
{% macro bits_of(seed, half) %}
{% if half == "upper" %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 68 as bigint)
{%- elif half == "middle" %}cast((md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 60) & 255 as bigint)
{%- else %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) & 1152921504606846975 as bigint)
{%- endif %}
{% endmacro %}

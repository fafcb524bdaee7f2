{# Random bits that are the same on every engine, for what is called `blocks` and `scaled`. #}

{# The 60 highest bits of the MD5 of seed, block and query, read with the least byte first. #}
{% macro bits_of(seed) %}cast(md5_number({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id) >> 68 as bigint){% endmacro %}

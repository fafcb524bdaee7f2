{# SQLite has no MD5: whoever runs this registers `md5_bits`, which gives the same sixty bits of a text. #}

{% macro bits_of(seed, half) %}md5_bits({{ seed | literal }} || ':' || blocks.number || ':' || scaled.query_id, {{ half | literal }}){% endmacro %}

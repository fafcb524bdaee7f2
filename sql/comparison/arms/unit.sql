{# What counts together: a cluster, one of those that cross it, or what is in both. #}
{% if way == "both" %}cast(length(unit) as {{ text }}) || ':' || unit || crossing{% else %}{{ way | ident }}{% endif -%}

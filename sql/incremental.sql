{# How a model of dbt adds to its table; between raw and endraw stands what dbt reads. #}
{% raw %}{{ config(
    materialized='incremental',
{% endraw %}
    incremental_strategy='{{ strategy }}',
{% if strategy == "insert_overwrite" %}
    partition_by={{ columns }},
{% elif strategy == "delete+insert" %}
    unique_key={{ columns }},
{% else %}
    pre_hook={{ deletion }},
{% endif %}
{% raw %}    on_schema_change='fail'
) }}
{% endraw %}

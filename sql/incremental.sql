{# How a model of dbt adds to its table; between raw and endraw stands what dbt reads. #}
{% for line in promises %}
-- {{ line }}
{% endfor %}
{% if strategy not in ("insert_overwrite", "delete+insert", "microbatch") %}
-- a partition that is made again is deleted first: where the run then fails, the next one adds it
{% endif %}
{% raw %}{{ config(
    materialized='incremental',
{% endraw %}
    incremental_strategy='{{ strategy }}',
{% if strategy == "insert_overwrite" %}
    partition_by={{ columns }},
{% elif strategy == "delete+insert" %}
    unique_key={{ columns }},
{% elif strategy == "microbatch" %}
    event_time={{ event_time }},
    batch_size='day',
    begin='{{ begin }}',
    concurrent_batches=false,
{% if keyed %}
    unique_key={{ columns }},
{% endif %}
{% else %}
    pre_hook={{ deletion }},
{% endif %}
{% raw %}    on_schema_change='fail'
) }}
{% endraw %}

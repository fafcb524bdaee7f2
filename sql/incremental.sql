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
    pre_hook="{% raw %}{% if is_incremental() and var('sqlrank_partition', none) is not none %}{% endraw %}delete from {{ table }} where cast({{ column | ident }} as {{ text }}) = '{{ asked }}'{% raw %}{% endif %}",
{% endraw %}
{% endif %}
{% raw %}    on_schema_change='fail'
) }}
{% endraw %}

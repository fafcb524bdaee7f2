{% if day %}
{% raw %}{{ config({% endraw %}

    materialized="incremental",
    incremental_strategy="{{ strategy }}",
    unique_key=["{{ day | ident }}", "query_id", "doc_id", "position"],
{% if strategy == "merge" and delta %}
    file_format="delta",
{% endif %}
{% raw %}) }}{% endraw %}

{% endif %}
-- sqlrank {{ version }}: {{ title }}
{% for line in header %}
-- {{ line }}
{% endfor %}
with
{% if step != "labels" %}
{% include "behaviour/first_steps.sql" %}

{% if step == "cells" %}
-- each query, document and position of a day, with impressions and clicks
{% else %}
-- each query, document and position, with impressions and clicks
{% endif %}
cells as (
    {{ cells | indent }}
){% if step != "cells" %},{% endif +%}
{% endif %}
{% if step == "cells" %}

select
{% for column in cell_columns %}
    {{ column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from cells
{% else %}
{% if step == "labels" %}
-- the cells of all days
cells as (
    select
{% for column in cell_columns %}
        {%+ if column in ("query_id", "doc_id", "position") %}{{ column | ident }}{% else %}sum({{ column | ident }}) as {{ column | ident }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ relation }}
    group by query_id, doc_id, position
),
{% endif %}

-- {{ estimate }}
estimates as (
    {{ estimates | indent }}
),

-- {{ interval }}
labels as (
    {{ labels | indent }}
)

select
    query_id,
    doc_id,
    relevance,
    low,
    high,
    impressions,
    clicks,
    {{ method | literal }} as method
from labels
where impressions >= {{ fewest }}
{% endif %}

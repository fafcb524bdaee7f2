{% from "macros/created.sql" import created %}
{% from "macros/values.sql" import json_id, opaque %}
{% from "macros/worth.sql" import worth_of %}
{{ created(name, loaded) }} as
{% for part in parts %}
{% if part.stated %}
-- through unions, of which the statistics of a file say nothing: they may be wrong
{% endif %}
select{% if distinct %} distinct{% endif +%}
{% if part.system is not none %}
    {{ part.system | literal }} as system,
{% endif %}
{% if part.rater is not none %}
    {{ part.rater | literal }} as rater,
{% endif %}
{% if ordered %}
    row_number() over () as input_order,
{% endif %}
{% for column in part.columns %}
{% if column.form == "json id" %}
    {{ json_id(column.name, column.complaint) }}
{%- elif column.form in ("map", "label", "number") %}
    {{ worth_of(column) }}
{%- elif column.form == "opaque" %}
    {{ opaque(column.name | ident) }}
{%- else %}
    {{ column.name | ident }}
{%- endif %} as {{ column.alias | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ part.reader }}
{% if part.where %}
{% if part.guarded %}
where try(
    coalesce(cast((
        {{ part.where }}
    ) as boolean), false)
)
{% else %}
where (
    {{ part.where }}
)
{% endif %}
{% endif %}
{% if part.judged %}
{%+ if part.where %}and{% else %}where{% endif %} {{ part.judged }}
{% endif %}
{% if not loop.last %}
union{% if not distinct %} all{% endif +%}
{% endif %}
{% endfor %}

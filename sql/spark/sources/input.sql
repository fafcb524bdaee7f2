{% from "macros/values.sql" import json_id %}
{% if loaded %}
cache lazy table {{ name | ident }} options ('storageLevel' 'MEMORY_AND_DISK') as
{% else %}
create or replace temporary view {{ name | ident }} as
{% endif %}
{% for part in parts %}
select
{% if part.system is not none %}
    {{ part.system | literal }} as system,
{% endif %}
{% for column in part.columns %}
{% if column.form == "json id" %}
    {{ json_id(column.name, column.complaint) }}
{%- elif column.form == "map" %}
    case cast({{ column.name | ident }} as string)
{%- for label, number in column.labels %} when {{ label | literal }} then {{ number | literal }}{% endfor %}
 else cast({{ column.name | ident }} as string) end
{%- elif column.form == "label" %}
    case lower({{ column.name | ident }}) when 'true' then '1' when 'false' then '0' else {{ column.name | ident }} end
{%- else %}
    {{ column.name | ident }}
{%- endif %} as {{ column.alias | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ part.reader }}
{% if part.where %}
where (
    {{ part.where }}
)
{% endif %}
{% if part.judged %}
{%+ if part.where %}and{% else %}where{% endif %} {{ part.judged }}
{% endif %}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

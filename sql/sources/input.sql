create temp {% if loaded %}table{% else %}view{% endif %} {{ name | ident }} as
{% for part in parts %}
select
{% if part.system is not none %}
    {{ part.system | literal }} as system,
{% endif %}
{% if ordered %}
    row_number() over () as input_order,
{% endif %}
{% for column in part.columns %}
{% set value %}{{ column.name | ident }}{% if column.json %} ->> '$'{% endif %}{% endset %}
{% if column.form == "id" and column.json %}
    case
        when json_type({{ column.name | ident }}) in ('VARCHAR', 'BIGINT', 'UBIGINT', 'NULL')
            or regexp_full_match({{ value }}, '-?[0-9]+')
            then {{ value }}
        when {{ column.name | ident }} is not null
            then error({{ part.complaint | literal }} || cast({{ column.name | ident }} as varchar))
    end
{%- elif column.form == "map" %}
    case cast({{ value }} as varchar)
{%- for label, number in column.labels %} when {{ label | literal }} then {{ number | literal }}{% endfor %}
 else cast({{ value }} as varchar) end
{%- elif column.form == "label" %}
    case lower({{ value }}) when 'true' then '1' when 'false' then '0' else {{ value }} end
{%- else %}
    {{ value }}
{%- endif %} as {{ column.alias | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ part.reader }}
{% if part.where %}
where (
    {{ part.where }}
)
{% endif %}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

create temp {% if loaded %}table{% else %}view{% endif %} {{ name | ident }} as
{% for part in parts %}
select
{% if ordered %}
    row_number() over () as input_order,
{% endif %}
{% for column in part.columns %}
    {%+ if column.form == "json" -%}
    case
        when json_type({{ column.name | ident }}) in ('VARCHAR', 'BIGINT', 'UBIGINT', 'NULL')
            or regexp_full_match({{ column.name | ident }} ->> '$', '-?[0-9]+')
            then {{ column.name | ident }} ->> '$'
        when {{ column.name | ident }} is not null
            then error({{ column.complaint | literal }} || cast({{ column.name | ident }} as varchar))
    end
    {%- elif column.form == "map" -%}
    case {% for pair in column.pairs %}when {{ column.text }} = {{ pair[0] | literal }} then {{ pair[1] | literal }} {% endfor %}else {{ column.text }} end
    {%- elif column.form == "label" -%}
    case lower({{ column.text }}) when 'true' then '1' when 'false' then '0' else {{ column.text }} end
    {%- else -%}
    {{ column.text }}
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

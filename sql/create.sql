{% for line in header %}
{{ line }}
{% endfor %}
{% if partition %}
{% for line in promises %}
-- {{ line }}
{% endfor %}
create table if not exists {{ name }}{{ table_options }} as
select
{% for column in columns %}
    {%+ if column.of %}{{ column.of | ident }}.{{ column.name | ident }}{% else %}cast(null as {{ column.type }}){% endif %} as {{ column.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ run.relation }} as run
{% for each in others %}
cross join {{ each.relation }} as {{ each.kind | ident }}
{% endfor %}
where 1 = 0{% if settings +%}
{{ settings }}
{%- endif %};

{% if key %}
create unique index if not exists {{ key.name }} on {{ key.table }} (
{%- for column in key.columns %}
{% if column.empty %}coalesce({{ column.name | ident }}, ''){% else %}{{ column.name | ident }}{% endif %}{% if not loop.last %}, {% endif %}
{%- endfor %}
);

{% endif %}
{% if partition.replaced is not none %}
{% if begin %}
{{ begin }};

{% endif %}
delete from {{ name }}
where
    cast({{ partition.column | ident }} as {{ text }}){{ bytewise }} = {{ partition.replaced | literal }}
{%- if several %}

    and system in (
        select cast({{ run.system | ident }} as {{ text }})
        from {{ run.relation }}
        where cast({{ partition.column | ident }} as {{ text }}){{ bytewise }} = {{ partition.replaced | literal }}
    )
{%- elif partition.system is not none %}

    and system = {{ partition.system | literal }}
{%- endif %};

{% endif %}
insert into {{ name }} ({% for column in columns %}{{ column.name | ident }}{% if not loop.last %}, {% endif %}{% endfor %})
{% elif kind == "view" %}
create {% if replaces_views %}or replace {% endif %}view {{ name }} as
{% else %}
create table {{ name }}{{ table_options }} as
{% endif %}
{% set ends = partition and partition.replaced is not none and begin %}
{% for line in statement %}
{{ line }}{% if ends and loop.last %};{% endif +%}
{% endfor %}
{% if ends %}

{{ commit }}
{% endif %}

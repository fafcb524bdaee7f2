{% from "macros/refusals.sql" import refused %}
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
drop table if exists {{ renewed }};

-- the rows are computed before any is deleted
create {{ temporary }}table {{ renewed }}{{ table_options }} as
select
    sqlrank_rows.*,
    {{ definition | literal }} as sqlrank_definition
from (
{% for line in statement %}
{% if line %}    {% endif %}{{ line }}
{% endfor %}
) as sqlrank_rows{% if settings +%}
{{ settings }}
{%- endif %};

{% set empty %}count(*) = 0{% endset %}
select {{ refused(empty, nothing_renewed) }} as refused, count(*) as renewed
from {{ renewed }};

{% if begin %}
{{ begin }};

{% endif %}
delete from {{ name }}
where
    cast({{ partition.column | ident }} as {{ text }}){{ bytewise }} = {{ partition.replaced | literal }}
    and {% if scoped %}system in (select system from {{ renewed }}){% else %}(select count(*) from {{ renewed }}) > 0{% endif %};

insert into {{ name }} ({% for column in columns %}{{ column.name | ident }}{% if not loop.last %}, {% endif %}{% endfor %})
select {% for column in columns %}{{ column.name | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
from {{ renewed }};

{% if begin %}
{{ commit }};

{% endif %}
drop table {{ renewed }}
{% else %}
insert into {{ name }} ({% for column in columns %}{{ column.name | ident }}{% if not loop.last %}, {% endif %}{% endfor %})
select
    sqlrank_rows.*,
    {{ definition | literal }} as sqlrank_definition
from (
{% endif %}
{% elif kind == "view" %}
create {% if replaces_views %}or replace {% endif %}view {{ name }} as
{% else %}
create table {{ name }}{{ table_options }} as
{% endif %}
{% if not (partition and partition.replaced is not none) %}
{% for line in statement %}
{% if partition and line %}    {% endif %}{{ line }}
{% endfor %}
{% if partition %}
) as sqlrank_rows
{% endif %}
{% endif %}

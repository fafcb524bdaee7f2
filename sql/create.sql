{% for line in header %}
{{ line }}
{% endfor %}
{% if partition %}
create table if not exists {{ name }}{{ table_options }} as
select
{% for column in columns %}
    {%+ if column.of %}{{ column.of | ident }}.{{ column.name | ident }}{% else %}cast(null as {{ column.type }}){% endif %} as {{ column.name | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ run.relation }} as run
{% for each in others %}
cross join {{ each.relation }} as {{ each.kind | ident }}
{% endfor %}
where 1 = 0{% if settings %}

{{ settings }}
{%- endif %};

insert into {{ name }} ({% for column in columns %}{{ column.name | ident }}{% if not loop.last %}, {% endif %}{% endfor %})
{% elif kind == "view" %}
create {% if replaces_views %}or replace {% endif %}view {{ name }} as
{% else %}
create table {{ name }}{{ table_options }} as
{% endif %}
{% for line in statement %}
{{ line }}
{% endfor %}

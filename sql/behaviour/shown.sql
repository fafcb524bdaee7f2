{# A log with a row for each document shown, in the types that its columns are meant to have: whole positions as they stand
   in it, and 1 or 0 for what happened or did not. #}
{% from "macros/created.sql" import created %}
{{ created(name, false) }} as
select
{% for column in ids %}
    {{ column | ident }},
{% endfor %}
{% for column in marks %}
    case when {% if column in whole %}{{ column | ident }}{% else %}cast({{ column | ident }} as double){% endif %} > 0 then 1 else 0 end as {{ column | ident }},
{% endfor %}
{% for column in numbers %}
    cast({{ column | ident }} as double) as {{ column | ident }},
{% endfor %}
    {%+ if "position" in whole %}cast(position as bigint){% else %}cast(cast(position as double) as bigint){% endif %} as position
from {{ log }}

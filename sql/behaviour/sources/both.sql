select
{% for column in columns %}
    {{ column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ events }}
union all
select
{% for column in columns %}
    {% if column in ("impression_id", "query_id", "doc_id", "position", "action") %}cast({{ column | ident }} as varchar){% else %}null{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ returned }}

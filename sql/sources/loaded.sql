create temp table {{ name | ident }} as
select
{% for column in columns %}
    {{ column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ reader }}

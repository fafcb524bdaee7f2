{# How many rows have no documents. #}
select count(*)
from {{ reader }}
where {% if json %}{{ name | ident }} is null or json_array_length({{ name | ident }}) = 0
{%- elif separator %}{{ name | ident }} is null or trim({{ name | ident }}) = ''
{%- else %}{{ name | ident }} is null or {{ length }}({{ name | ident }}) = 0
{%- endif %}


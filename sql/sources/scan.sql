select
{% for check in checks %}
    sum(case when {{ check.condition }} then 1 else 0 end) as {{ check.name | ident }},
{% endfor %}
    count(*) as rows_read
from {{ relation }}

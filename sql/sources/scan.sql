select
{% for check in checks %}
    count(case when {{ check.condition }} then 1 end) as {{ check.name | ident }},
{% endfor %}
    count(*) as rows_read
from {{ relation }}

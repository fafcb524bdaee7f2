{# Statements of few rows each as one, which Spark runs in one job. #}
{% for statement in statements %}
select
    {{ loop.index0 }} as number,
    to_json(struct(*), map('ignoreNullFields', 'false')) as shown
from (
{{ statement }}
)
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

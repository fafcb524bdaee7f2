-- how large the weighted differences of each pair are together, and the weights
select
{% for pair in pairs %}
    sum(abs({% if not pair.counts %}weight * {% endif %}({{ pair.value | ident }} - {{ pair.baseline_value | ident }}))) as size_{{ loop.index }},
{% endfor %}
    sum(weight) as weight
from {{ paired }}

-- how large the weighted differences of each pair are together, and the weights, and how many weights are fractions
select
{% for pair in pairs %}
    sum(abs({% if not pair.counts %}weight * {% endif %}({{ pair.value | ident }} - {{ pair.baseline_value | ident }}))) as size_{{ loop.index }},
{% endfor %}
    sum(weight) as weight,
    sum(case when weight = floor(weight) then 0 else 1 end) as fractions
from {{ paired }}

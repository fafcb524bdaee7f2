{% if likely %}
select least(({{ prior.a | literal }} + sum(continued)) / ({{ (prior.a + prior.b) | literal }} + sum(might_continue)), 1 - 1e-6) as continuation
from {{ likely }}
{% else %}
select {{ start | literal }} as continuation
{% endif %}

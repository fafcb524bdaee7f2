-- the differences and weights of the segments with so few {% if clustered %}clusters{% else %}queries{% endif %} that all choices of signs can be tried
{% for total in scopes %}
{% set outer_scopes = loop %}
{% for number in pairs %}
select
    {{ number }} as pair,
    {%+ if total %}0{% else %}scope{% endif %} as scope,
    difference_{{ number }} as difference,
    weight_{{ number }} as weight
from {{ scaled }}
where weight_{{ number }} > 0
qualify count(*) over ({% if not total %}partition by scope{% endif %}) <= {{ few }}
{% if not (loop.last and outer_scopes.last) %}

union all

{% endif %}
{% endfor %}
{% endfor %}

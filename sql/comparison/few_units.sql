-- the differences and weights of the segments with so few {% if clustered %}clusters{% else %}queries{% endif %} that all choices of signs can be tried
with

{% for total in scopes %}
{% for number in pairs %}
units_{{ loop.index }}_{{ total | int }} as (
    select
        {%+ if total %}0{% else %}scope{% endif %} as scope,
        difference_{{ number }} as difference,
        weight_{{ number }} as weight,
        count(*) over (partition by {% if total %}1{% else %}scope{% endif %}) as units
    from {{ scaled }}
    where weight_{{ number }} > 0
),

{% endfor %}
{% endfor %}
units as (
{% for total in scopes %}
{% set outer_scopes = loop %}
{% for number in pairs %}
    select
        {{ number }} as pair,
        scope,
        difference,
        weight
    from units_{{ loop.index }}_{{ total | int }}
    where units <= {{ few }}
{% if not (loop.last and outer_scopes.last) %}

    union all

{% endif %}
{% endfor %}
{% endfor %}
)

select *
from units

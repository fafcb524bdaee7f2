-- the mean share of the first documents that was judged, of each system of some per-query rows with results
select
    {% if name is none %}cast(system as varchar){% else %}{{ name | literal }}{% endif %} as system,
    avg({{ column | ident }}) as share
from {{ relation }}
{% if retrieved %}
where {{ retrieved | ident }} > 0
{% endif %}
group by 1

{# How much a reward of each document of one candidate counts, as far as the log says it{% if other %} of both candidates{% endif %}. #}
select
    rated.query_id,
    rated.doc_id,
{% if by_position %}
    rated.position,
{% endif %}
    sum(rated.share * rated.factor{% if other %} * least(own.held, others.held) / nullif(own.held, 0){% endif %}) as factor,
    any_value(rated.base) as base
from {{ rated }} as rated
{% if other %}
inner join {{ held }} as own
    on rated.system = own.system and rated.query_id = own.query_id and rated.position = own.position
inner join {{ held }} as others
    on rated.query_id = others.query_id and rated.position = others.position and others.system = {{ other | literal }}
{% endif %}
where rated.system = {{ system | literal }}
    and rated.supported
group by rated.query_id, rated.doc_id{% if by_position %}, rated.position{% endif +%}

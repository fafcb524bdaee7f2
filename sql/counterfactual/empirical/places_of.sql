{# The expected reward at each place of one candidate, as far as the log says it{% if other %} of both candidates{% endif %}. #}
select
    rated.query_id,
    rated.position,
    sum(case when rated.supported then rated.share * rated.rate{% if other %} * least(own.held, others.held) / nullif(own.held, 0){% endif %} end) as rate,
    any_value({% if other %}least(own.held, others.held){% else %}own.held{% endif %}) as held
from {{ rated }} as rated
inner join {{ held }} as own
    on rated.system = own.system and rated.query_id = own.query_id and rated.position = own.position
{% if other %}
inner join {{ held }} as others
    on rated.query_id = others.query_id and rated.position = others.position and others.system = {{ other | literal }}
{% endif %}
where rated.system = {{ system | literal }}
group by rated.query_id, rated.position

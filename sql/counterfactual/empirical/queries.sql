{# Each query of the log under each candidate: its impressions, how much of what it would show the log has shown, and what it
   would have earned for each of them. #}
{% from "macros/support.sql" import supported_share %}
{% for each in rated %}
select
    system,
    {{ each.estimator | literal }} as estimator,
    cast(query_id as varchar) as query_id,
    cast(max(traffic) as bigint) as impressions,
    {{ supported_share() }} as supported,
    coalesce(sum(traffic * share * level) filter (where not supported), 0) as missing,
    coalesce(sum(traffic * share * rate) filter (where supported), 0) / max(traffic) as value,
    (
        coalesce(sum(traffic * share * rate) filter (where supported), 0)
        + coalesce(sum(traffic * share * most) filter (where not supported), 0)
    ) / max(traffic) as at_most
from {{ each.relation }}
group by system, query_id
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

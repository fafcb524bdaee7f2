{# By candidate{% if by == "position" %} and position{% elif by == "query" %} and query{% endif %}: the traffic of the places it shows something at, what such places
   earn, the share that the log has shown enough of, what the candidate would have earned there, and at most where the log has
   shown too little. #}
{% from "macros/support.sql" import supported_share %}
select
    system,
{% if by %}
    {%+ if by == "query" %}cast(query_id as varchar) as query_id{% else %}place as position{% endif %},
{% endif %}
    sum(traffic * share) as traffic,
    sum(traffic * share * level) as levels,
    {{ supported_share(by != "position") }} as supported,
    coalesce(sum(traffic * share * rate) filter (where supported), 0) as earned,
    coalesce(sum(traffic * share * most) filter (where not supported), 0) as possible,
    coalesce(sum(traffic) filter (where not answered), 0) as unanswered,
    count(distinct query_id) filter (where not answered) as unanswered_queries,
    count(distinct query_id) filter (where answered and share = 0) as short_queries
from {{ rated }}
group by all
order by all

{# Events as a log with a row for each document of an impression: where it was shown, and what was done with it. Of one that
   was never shown `position` is empty. #}
{% from "macros/logs.sql" import time_of, is_action %}
select
    events.impression_id,
    {% if queries and "query_id" not in columns %}any_value(cast(queries.query_id as varchar)){% elif queries %}coalesce(any_value(cast(queries.query_id as varchar)), min(cast(events.query_id as varchar))){% else %}min(events.query_id){% endif %} as query_id,
    events.doc_id,
{% for column in carried %}
    min(events.{{ column | ident }}) as {{ column | ident }},
{% endfor %}
    min(case when {{ is_action(actions.shown) }} then events.position end) as position,
    max(case when {{ is_action(actions.click) }} then 1 else 0 end) as clicked,
{% for kind in ("cart", "purchase") %}
{% if actions[kind] %}
    max(case when {{ is_action(actions[kind]) }} then 1 else 0 end) as {{ kind | ident }},
{% endif %}
{% endfor %}
{% if "time" in columns %}
    cast(min(case when {{ is_action(actions.click) }} then {{ time_of("time") }} end) as varchar) as click_time,
{% endif %}
    {% if "time" in columns %}min(case when {{ is_action(actions.click) }} then {{ time_of("time") }} end) < min(case when {{ is_action(actions.shown) }} then {{ time_of("time") }} end){% else %}false{% endif %} as clicked_before,
    count(*) filter (where {{ is_action(actions.shown) }}) as times_shown,
    count(*) filter (where {{ is_action(actions.click) }}) as times_clicked
from {{ events }} as events
{% if queries %}
left join (
    select
        cast(impression_id as varchar) as impression_id,
        any_value(query_id) as query_id
    from {{ queries }}
    group by all
) as queries on cast(events.impression_id as varchar) = queries.impression_id
{% endif %}
where events.impression_id is not null
    and events.doc_id is not null
    and {{ is_action(actions.shown + actions.click + actions.cart + actions.purchase) }}
group by events.impression_id, events.doc_id

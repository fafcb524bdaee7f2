{# Events of Snowplow with a row for each product, and one for an event without products. An event that was delivered again
   has the id of the first, or its fingerprint. #}
{% from "macros/exports.sql" import action_of, present %}
select
    event,
    again,
    action,
    user_id,
    session_id,
    time,
    rank() over (partition by user_id order by time asc) as moment,
    application,
    system,
    term,
    cast(null as varchar) as list_id,
    list_name,
    {% call present() %}product.id{% endcall %} as doc_id,
    try_cast(product.position as bigint) as position,
    place
from (
    select
        event,
        (event_id is not null and row_number() over (partition by event_id order by time asc, event asc) > 1)
        or (
            event_fingerprint is not null
            and row_number() over (partition by event_fingerprint, user_id order by time asc, event asc) > 1
        ) as again,
        case when {{ action_of("event_name", actions) }} = 'shown' and coalesce(len(products), 0) = 0 then 'empty' else {{ action_of("event_name", actions) }} end as action,
        user_id,
        session_id,
        time,
        application,
        system,
        term,
        list_name,
        unnest(case when len(products) > 0 then products else [null] end) as product,
        generate_subscripts(case when len(products) > 0 then products else [null] end, 1) as place
    from (
        select
            row_number() over () as event,
            *
        from {{ events }}
        where event_name in {{ names | literal }}
    )
)

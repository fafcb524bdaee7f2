{# Events of GA4 with a row for each item, and one for an event without items. Events of one batch have one time: where the
   export says their order, `moment` is it. #}
{% from "macros/exports.sql" import action_of, inside, param, present %}
{% from "macros/logs.sql" import time_of %}
select
    event,
    false as again,
    action,
    user_id,
    session_id,
    time,
    moment,
    application,
    system,
    term,
    coalesce({% call present() %}item.item_list_id{% endcall %}, {% call present() %}list_id{% endcall %}) as list_id,
    coalesce({% call present() %}item.item_list_name{% endcall %}, {% call present() %}list_name{% endcall %}) as list_name,
    {% call present() %}item.item_id{% endcall %} as doc_id,
    try_cast(item.item_list_index as bigint) as position,
    place
from (
    select
        event,
        case when action = 'shown' and coalesce(len(items), 0) = 0 then 'empty' else action end as action,
        user_id,
        session_id,
        time,
        rank() over (
            partition by user_id
            order by time{% for column in order %}, cast({{ column | ident }} as bigint){% endfor %}

        ) as moment,
        application,
        system,
        term,
        list_id,
        list_name,
        unnest(case when len(items) > 0 then items else [null] end) as item,
        generate_subscripts(case when len(items) > 0 then items else [null] end, 1) as place
    from (
        select
            event,
            {{ action_of("name", actions) }} as action,
            {% call present() %}user_id{% endcall %} as user_id,
            {%+ if "session_id" in columns %}{% call present() %}session_id{% endcall %}{% else %}{% call present() %}{{ param("ga_session_id") }}{% endcall %}{% endif %} as session_id,
            time,
{% for column in order %}
            {{ column | ident }},
{% endfor %}
            application,
            system,
            {%+ if "query_id" in columns %}{% call present() %}query_id{% endcall %}{% else %}{% call present() %}{{ param("search_term") }}{% endcall %}{% endif %} as term,
            {{ param("item_list_id") }} as list_id,
            {{ param("item_list_name") }} as list_name,
            items
        from (
            select
                row_number() over () as event,
                lower(cast(event_name as varchar)) as name,
                cast(user_id as varchar) as user_id,
{% for column in ("session_id", "query_id") if column in columns %}
                cast({{ column | ident }} as varchar) as {{ column | ident }},
{% endfor %}
                epoch_us({{ time_of("event_timestamp") }}) as time,
{% for column in order %}
                {{ column | ident }},
{% endfor %}
{% for column in ("application", "system") %}
                {%+ if column in columns %}cast({{ column | ident }} as varchar){% else %}cast(null as varchar){% endif %} as {{ column | ident }},
{% endfor %}
                {{ inside("params", params_in_texts, '[{"key": "varchar", "value": {"string_value": "varchar", "int_value": "varchar", "float_value": "varchar", "double_value": "varchar"}}]') }} as params,
                {{ inside("items", items_in_texts, '[{"item_id": "varchar", "item_list_id": "varchar", "item_list_name": "varchar", "item_list_index": "varchar"}]') }} as items
            from {{ events }}
            where lower(cast(event_name as varchar)) in {{ names | literal }}
        )
    )
)

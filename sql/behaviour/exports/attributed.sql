{# What was done with an item, with the impression that it belongs to: the latest that showed it to the same user before,
   {% if hours %}up to {{ hours }} hours ago{% else %}in the same session and list{% endif %}; none where two of one moment may be meant. #}
{% from "macros/exports.sql" import keys_of_click, keys_of_view %}
with
done as (
    select
        row_number() over () as deed,
        action,
        user_id,
        session_id,
        time,
        moment,
        doc_id,
        {% if hours %}['any']{% else %}{{ keys_of_click() }}{% endif %} as keys
    from {{ items }}
    where action in {{ actions | literal }}
        and doc_id is not null
        and user_id is not null
        and time is not null
{% if not hours %}
        and session_id is not null
{% endif %}
),

views as (
    select
        user_id,
        {% if hours %}null{% else %}session_id{% endif %} as session_id,
        doc_id,
        moment,
        key,
        min(time) as time,
        case when min(impression_id) = max(impression_id) then min(impression_id) end as impression_id
    from (
        select
            user_id,
            session_id,
            doc_id,
            moment,
            time,
            impression_id,
            unnest({% if hours %}['any']{% else %}{{ keys_of_view() }}{% endif %}) as key
        from {{ shown }}
        where (user_id, doc_id) in (select (done.user_id, done.doc_id) from done)
    )
    group by all
),

found as (
    select
        keyed.deed,
        keyed.action,
        keyed.user_id,
        keyed.time,
        keyed.doc_id,
        views.moment as view_moment,
        {%+ if hours %}case when keyed.time - views.time <= {{ hours }} * 3600000000 then views.impression_id end{% else %}views.impression_id{% endif %} as impression_id,
        rank() over (partition by keyed.deed order by views.moment desc nulls last) as place
    from (
        select
            *,
            unnest(keys) as key
        from done
    ) as keyed
    asof left join views
        on keyed.user_id = views.user_id
            and keyed.doc_id = views.doc_id
            and keyed.key = views.key
{% if not hours %}
            and keyed.session_id = views.session_id
{% endif %}
            and keyed.moment >= views.moment
)

select
    deed,
    min(action) as action,
    min(user_id) as user_id,
    min(time) as time,
    min(doc_id) as doc_id,
    case when count(impression_id) = count(*) and min(impression_id) = max(impression_id) then min(impression_id) end as impression_id
from found
where place = 1
group by deed

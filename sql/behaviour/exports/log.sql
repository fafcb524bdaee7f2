{# A row for each item that a search showed, and what was done with it. #}
select
    shown.impression_id,
    shown.query_id,
    shown.doc_id,
    shown.user_id,
    shown.time,
{% for column in carried %}
    shown.{{ column | ident }},
{% endfor %}
{% for kind in kinds %}
    coalesce(done.{{ kind | ident }}, 0) as {{ kind | ident }},
{% endfor %}
    shown.position,
    coalesce(done.clicked, 0) as clicked
from {{ shown }} as shown
left join (
    select
        impression_id,
        doc_id,
{% for kind in kinds %}
        max(case when action = {{ kind | literal }} then 1 else 0 end) as {{ kind | ident }},
{% endfor %}
        max(case when action = 'click' then 1 else 0 end) as clicked
    from (
{% for relation in done %}
        select
            impression_id,
            doc_id,
            action
        from {{ relation }}
        where impression_id is not null
{% if not loop.last %}
        union all
{% endif %}
{% endfor %}
    )
    group by all
) as done
    on shown.impression_id = done.impression_id
        and shown.doc_id = done.doc_id
where shown.query_id is not null
    and shown.doc_id is not null

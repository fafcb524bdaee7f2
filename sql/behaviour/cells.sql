{# The cells of a log: each query, document and position with its impressions and clicks, and what the order of the clicks
   of an impression says where a method asks for that. #}
{% if sequence %}
select
{% if day %}
    shown.{{ day | ident }},
{% endif %}
    shown.query_id,
    shown.doc_id,
    shown.position,
    count(*) as impressions,
    sum(shown.clicked) as clicks,
    -- down to the last click people looked; {% if no_click == "skip" %}an impression without clicks says nothing{% else %}without a click they looked at all{% endif +%}
    sum(case when shown.position <= last_click{% if no_click == "examined" %} or last_click is null{% endif %} then 1 else 0 end) as examined,
    sum(case when shown.position = last_click then 1 else 0 end) as last_clicks,
    sum(case when shown.position <= first_click{% if no_click == "examined" %} or first_click is null{% endif %} then 1 else 0 end) as to_first,
    sum(case when shown.position = first_click then 1 else 0 end) as first_clicks{% if graded %},
    sum(shown.grade) as grades,
    sum(shown.grade * shown.grade) as squares
{% endif +%}
from {{ impressions }} as shown
left join (
    select
        impression_id,
        min(position) as first_click,
        max(position) as last_click
    from {{ impressions }}
    where clicked = 1
    group by impression_id
) as clicks_of on shown.impression_id = clicks_of.impression_id
group by {% if day %}shown.{{ day | ident }}, {% endif %}shown.query_id, shown.doc_id, shown.position
{% else %}
select
{% if day %}
    {{ day | ident }},
{% endif %}
    query_id,
    doc_id,
    position,
    count(*) as impressions,
    sum(clicked) as clicks
from {{ impressions }}
group by {% if day %}{{ day | ident }}, {% endif %}query_id, doc_id, position
{% endif %}

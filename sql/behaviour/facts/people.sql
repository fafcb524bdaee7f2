{# What each user did in each impression, where some impressions are of several. #}
select
    user_id,
{% if "time" in columns %}
    min("time") as "time",
{% endif %}
    count(*) as rows_of,
    sum(clicked) as clicks
from {{ log }}
group by impression_id, user_id

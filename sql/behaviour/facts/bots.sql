{# How much of a log comes of users who do not behave like people. #}
select
    count(distinct case when suspected then user_id end) as users,
    count(distinct user_id) as all_users,
    count(*) filter (where suspected) as rows_of,
    sum(clicked) filter (where suspected) as clicks,
    count(*) as rows_read,
    sum(clicked) as all_clicks,
    min(cast(user_id as varchar)) filter (where suspected) as example
from (
    select
        shown.user_id,
        shown.clicked,
        {% if "is_bot" in columns %}shown.is_bot = 1 or {% endif %}bots.user_id is not null as suspected
    from {{ log }} as shown
    left join {{ bots }} as bots on shown.user_id = bots.user_id
)

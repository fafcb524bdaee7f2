{# How much of a log comes of users who do not behave like people. #}
select
    count(distinct case when suspected then user_id end) as users,
    count(distinct user_id) as all_users,
    sum(rows_of) filter (where suspected) as rows_of,
    sum(clicks) filter (where suspected) as clicks,
    sum(rows_of) as rows_read,
    sum(clicks) as all_clicks,
    min(cast(user_id as varchar)) filter (where suspected) as example
from (
    select
        people.user_id,
{% if "is_bot" in columns %}
        1 as rows_of,
        people.clicked as clicks,
        people.is_bot = 1 or bots.user_id is not null as suspected
    from {{ log }} as people
{% else %}
        people.rows_of,
        people.clicks,
        bots.user_id is not null as suspected
    from {{ people }} as people
{% endif %}
    left join {{ bots }} as bots on people.user_id = bots.user_id
)

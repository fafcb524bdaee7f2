{# What the impressions of a log are like. #}
select
    count(*) as impressions,
    count(*) filter (where clicks = 0) as without_clicks,
    count(*) filter (where lowest = 0) as from_zero,
    count(*) filter (where lowest = 1) as from_one,
    min(cast(impression_id as varchar)) filter (where lowest = 0) as zero_example,
    min(cast(impression_id as varchar)) filter (where lowest = 1) as one_example,
{% if "user_id" in columns %}
    count(*) filter (where user_id is distinct from last_user) as several_users,
{% endif %}
    count(*) filter (where first_query is distinct from last_query) as several_queries,
    min(cast(impression_id as varchar)) filter (where first_query is distinct from last_query) as queries_example,
    count(*) filter (where places < rows_of) as places_short,
    count(*) filter (where places < rows_of or marks < rows_of) as suspects
from {{ of_impressions }}

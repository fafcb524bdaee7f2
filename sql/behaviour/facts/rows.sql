{# One pass over the rows of a log: what they hold, which rankers showed it, and on which days. #}
{% from "macros/logs.sql" import day_of_time, is_chosen_order %}
select
    count(*) as rows_read,
    count(*) filter (where clicked = 1) as clicks,
{% if "time" in columns %}
    cast(min({{ day_of_time("time") }}) as varchar) as first_day,
    cast(max({{ day_of_time("time") }}) as varchar) as last_day,
{% endif %}
{% if "system" in columns %}
    list(distinct cast(system as varchar) order by cast(system as varchar)) filter (where system is not null) as systems,
{% endif %}
{% for column in marks %}
    count(*) filter (where {{ column | ident }} = 1) as {{ column | ident }},
{% endfor %}
{% if "sort" in columns %}
    count(*) filter (where {{ is_chosen_order() }}) as sorted_rows,
    min(cast(sort as varchar)) filter (where {{ is_chosen_order() }}) as sorted_example,
{% endif %}
{% if "dwell" in columns %}
    count(*) filter (where clicked = 1 and dwell is null) as without_dwell,
{% endif %}
{% if "page" in columns %}
    max(page) as last_page,
    max(position) filter (where page = 1) as first_page_end,
    min(position) filter (where page > 1) as further_pages_begin,
{% endif %}
    min_by(cast(impression_id as varchar), position) as first_example,
    max(position) as last_position,
    max_by(cast(impression_id as varchar), position) as last_example,
    min(position) as first_position
from {{ log }}

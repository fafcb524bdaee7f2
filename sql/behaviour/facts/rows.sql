{# One pass over the rows of a log. #}
{% from "macros/logs.sql" import is_chosen_order %}
select
    count(*) as rows_read,
    count(*) filter (where clicked = 1) as clicks,
    min(position) as first_position,
    max(position) as last_position,
{% if "time" in columns %}
    min(time) as earliest,
    max(time) as latest,
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
    1 as one
from {{ log }}

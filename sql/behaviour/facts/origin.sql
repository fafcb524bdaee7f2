{# Which rankers showed what is in a log, and on which days. #}
{% from "macros/logs.sql" import day_of_time %}
select
{% if "system" in columns %}
    list(distinct cast(system as varchar) order by cast(system as varchar)) filter (where system is not null) as systems,
{% else %}
    cast([] as varchar[]) as systems,
{% endif %}
{% if "time" in columns %}
    cast(min(happened) as varchar) as first_day,
    cast(max(happened) as varchar) as last_day
from (
    select
{% if "system" in columns %}
        system,
{% endif %}
        {{ day_of_time("time") }} as happened
    from {{ log }}
)
{% else %}
    cast(null as varchar) as first_day,
    cast(null as varchar) as last_day
from {{ log }}
{% endif %}

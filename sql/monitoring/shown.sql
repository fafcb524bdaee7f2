{% from "macros/days.sql" import day_of, has_day %}
{# The documents that an export has shown, and when. #}
shown as (
    select
        cast({{ shown.query | ident }} as varchar) as query_id,
        cast({{ shown.document | ident }} as varchar) as doc_id,
        {{ day_of(shown.day) }} as day
    from {{ shown.relation }}
    where {{ has_day(shown.day) }}
),

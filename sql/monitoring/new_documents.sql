{% from "macros/days.sql" import day_of, has_day, day_literal %}
{% set watched %}date_diff('day', {{ day_literal(since) }}, {{ day_literal(last) }}) + 1{% endset %}
-- which share of the documents shown had never been shown before: since a day, and in as many days before it
with

shown as (
    select
        {{ shown.document | ident }} as document,
        {{ day_of(shown.day) }} as day
    from {{ shown.relation }}
    where {{ has_day(shown.day) }}{% if shown.system is not none %} and {{ shown.system | ident }} = {{ system | literal }}{% endif +%}
),

met as (
    select
        day,
        min(day) over (partition by document) as first_day,
        {{ day_literal(since) }} as since,
        {{ day_literal(since) }} - cast({{ watched }} as integer) as earlier
    from shown
    where day <= {{ day_literal(last) }}
)

select
    avg(case when day >= since then case when first_day >= since then 1 else 0 end end) as since,
    avg(case when day < since and day >= earlier then case when first_day >= earlier then 1 else 0 end end) as before
from met

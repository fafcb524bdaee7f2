-- how old judgments were on the days on which rankings used them, in days: on the last days, and on the first
with

judged as (
{% for each in judgments %}
    select
        cast({{ each.query | ident }} as varchar) as query_id,
        cast({{ each.document | ident }} as varchar) as doc_id,
        cast(cast({{ each.at | ident }} as timestamp) as date) as judged_on
    from {{ each.relation }}
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
),

{% include "monitoring/shown.sql" %}

placed as (
    select
        *,
        date_diff('day', day, max(day) over ()) < {{ span }} as is_last,
        date_diff('day', min(day) over (), day) < {{ span }} as is_first
    from shown
),

aged as (
    select
        is_last,
        is_first,
        greatest(date_diff('day', judged_on, day), 0) as age
    from placed
    inner join judged on placed.query_id = judged.query_id and placed.doc_id = judged.doc_id
    where judged_on is not null
)

select
    median(case when is_last then age end) as last,
    median(case when is_first then age end) as first,
    avg(case when is_last then case when age > 365 then 1 else 0 end end) as older
from aged

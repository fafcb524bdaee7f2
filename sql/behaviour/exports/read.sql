{# How much was read of an export: of each action its events, those that lack whose or when they are, and items without id. #}
select
    action,
    count(distinct event) as events,
    count(distinct event) filter (where not whole) as unknown,
    count(*) filter (where doc_id is null) as without_id,
    max(time) as latest,
    (select count(distinct event) from {{ items }}) - (select count(distinct event) from {{ once }}) as again
from {{ once }}
group by action
order by action asc

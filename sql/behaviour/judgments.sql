{# The judgments of a method, of pairs with enough impressions. #}
{% from "macros/created.sql" import created %}
select
    query_id,
    doc_id,
    relevance,
    low,
    high,
    cast(impressions as bigint) as impressions,
    cast(clicks as bigint) as clicks,
    {{ method | literal }} as method
from {{ labels }}
where impressions >= {{ fewest }}

{% from "macros/values.sql" import opaque %}
{% from "macros/worth.sql" import worth_of %}
-- the rows of these queries
select
    cast({{ query_id | ident }} as varchar) as query_id,
    {%+ if doc_id %}cast({{ doc_id | ident }} as varchar){% else %}cast(null as varchar){% endif %} as doc_id,
    {%+ if score %}try_cast({{ opaque(score | ident) }} as double){% else %}cast(null as double){% endif %} as score,
    {%+ if relevance %}{{ opaque(worth_of(relevance)) }} is not null{% else %}true{% endif %} as judged,
    {%+ if system %}cast({{ system | ident }} as varchar){% else %}''{% endif %} as system,
{% for column in columns %}
    cast({{ column | ident }} as varchar) as {{ ("column_" ~ loop.index) | ident }},
{% endfor %}
    true as is_there
from {{ reader }}
where cast({{ query_id | ident }} as varchar) in (select query_id from {{ sampled }})

-- the queries of a page by the bytes of their ids, with their segments; of more than `most`, those of the smallest hashes
select
    row_number() over (order by query_id asc) - 1 as number,
    *
from (
    select
        query_id,
{% for segment in segments %}
        arg_max({{ segment.alias | ident }}, sqlrank_retrieved) as segment_{{ loop.index }},
{% endfor %}
        cast(query_id as varchar) as id
    from {{ per_query }}
    group by query_id
    order by md5(cast(query_id as varchar))
    limit {{ most }}
) as chosen

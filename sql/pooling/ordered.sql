-- the pairs in the order in which they could change most
select
    query_id,
    doc_id,
    weight,
    systems,
    best_rank,
    priority
from (
    select
        *,
        row_number() over (
            order by weight desc, systems desc, best_rank asc, turn asc, md5(query_id) asc, query_id asc, doc_id asc
        ) as priority
    from {{ pairs }}
) as numbered
{% if budget %}
where priority <= {{ budget }}
{% endif %}

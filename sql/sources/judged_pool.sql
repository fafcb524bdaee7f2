{# Of the judgments whatever their order: how many, and a hash of all of them. #}
select
    count(*) as judged,
    coalesce(bit_xor(md5_number(concat_ws(chr(31), query_id, doc_id, relevance))), 0) as hash
from (
    select{% if labelled %} distinct{% endif +%}
        cast({{ judged.query_id | ident }} as varchar) as query_id,
        cast({{ judged.doc_id | ident }} as varchar) as doc_id,
        cast({{ judged.relevance | ident }} as double) as relevance
    from {{ judged.relation }}
    where {{ judged.relevance | ident }} is not null
)

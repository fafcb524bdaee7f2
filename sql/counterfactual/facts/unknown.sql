{# How many documents that candidates or the log show have no expected reward. #}
select
    count(*) as unknown,
    min(doc_id) as example
from (
    select unknown_example as doc_id
    from {{ prospects }}
    where unknown > 0
    union all
    select cast(chosen.doc_id as varchar) as doc_id
    from {{ chosen }} as chosen
    left join {{ expected }} as expected
        on cast(chosen.doc_id as varchar) = expected.doc_id and chosen.half = expected.half
            {%+ if with_query %}and cast(chosen.query_id as varchar) = expected.query_id{% endif %}{% if with_position %} and chosen.position = expected.position{% endif +%}
    where expected.expected is null
) as without

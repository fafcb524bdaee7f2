{#
title = "the depth cuts through documents of equal score"
input = "run"
exit = "usage"
message = "{option:depth {depth}} cuts through equal scores, whose order {option:ties average} leaves open, in some rankings (cases: {findings}), such as that of query {query_id}; choose another depth or order of ties"
#}
with

groups as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        count(*) as documents,
        sum(count(*)) over (
            partition by {%+ if several %}system, {% endif %}query_id
            order by cast(score as {{ kind_of_score }}) {{ direction }}
            rows between unbounded preceding and current row
        ) as documents_so_far
    from {{ run }}
{% if query_set != "run" %}
    where cast(query_id as {{ text }}) in (select cast(query_id as {{ text }}) from {{ judged }} where relevance is not null)
{% endif %}
    group by {%+ if several %}system, {% endif %}query_id, cast(score as {{ kind_of_score }})
)

select
    query_id,
    {{ depth }} as depth
from groups
where documents_so_far > {{ depth }} and documents_so_far - documents < {{ depth }}

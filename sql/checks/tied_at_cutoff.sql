{#
title = "a tie at the cutoff decides what is shown"
input = "run"
message = "{findings:ranking has|rankings have} equal scores at the cutoff, so that {texts} depends on the order of ties{tool}, such as that of query {query_id} at {cutoff}; choose an order with {option:ties}"
#}
with

numbered as (
    select
{% if several %}
        system,
{% endif %}
        cast(query_id as {{ text }}) as query_id,
        cast(score as {{ kind_of_score }}) as score,
        row_number() over (partition by {% if several %}system, {% endif %}query_id order by cast(score as {{ kind_of_score }}) {{ direction }}) as place
    from {{ run }}
{% if query_set != "run" %}
    where cast(query_id as {{ text }}) in (select cast(query_id as {{ text }}) from {{ judged }} where relevance is not null)
{% endif %}
)

select
    within.query_id as query_id,
    within.place as cutoff,
    {{ texts | literal }} as texts,
    {{ tool | literal }} as tool
from numbered as within
inner join numbered as beyond
    on
        within.query_id = beyond.query_id
{% if several %}
        and within.system = beyond.system
{% endif %}
        and within.place + 1 = beyond.place
        and within.score = beyond.score
where within.place in ({% for cutoff in cutoffs %}{{ cutoff }}{% if not loop.last %}, {% endif %}{% endfor %})

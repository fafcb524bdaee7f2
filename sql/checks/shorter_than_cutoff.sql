{#
title = "a tool has another value where a ranking is shorter than the cutoff"
input = "run"
message = "{findings:ranking is|rankings are} shorter than the cutoff of {texts}{than}, such as that of query {query_id} with {returned:document|documents}; {tool} has another value there: lower the cutoff, or leave out {option:like}"
#}
select
    counted.query_id as query_id,
    counted.returned as returned,
    {%+ if which == "relevant" %}', and than what is relevant'{% else %}''{% endif %} as than,
    {{ tool | literal }} as tool,
    {{ texts | literal }} as texts
from (
    select
        cast(query_id as {{ text }}) as query_id,
        count(*) as returned
    from {{ run }}
    group by {% if several %}system, {% endif %}query_id
) as counted
{% if which == "relevant" %}
inner join (
    select
        cast(query_id as {{ text }}) as query_id,
        sum(case when try_cast(relevance as {{ double }}) > 0 then 1 else 0 end) as relevant
    from {{ judged }}
    group by query_id
) as found
    on counted.query_id = found.query_id
{% endif %}
where counted.returned < {{ cutoff }}{% if which == "relevant" %} and counted.returned < found.relevant{% endif +%}

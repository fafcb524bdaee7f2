{#
title = "a tool of one table does not see judged documents that were not returned"
input = "qrels"
message = "{findings} judged documents were not returned, such as {doc_id} of query {query_id}; {tool} sees one table, in which {texts} cannot count them: give one labelled table, or judgments of what was returned, or leave out --like"
#}
select
    count(*) over () as findings,
    cast(judged.query_id as {{ text }}) as query_id,
    cast(judged.doc_id as {{ text }}) as doc_id,
    {{ tool | literal }} as tool,
    {{ texts | literal }} as texts
from {{ judged }} as judged
inner join (
    select
{% if several %}
        system,
{% endif %}
        cast(query_id as {{ text }}) as query_id
    from {{ run }}
    group by {% if several %}system, {% endif %}query_id
) as found_queries
    on cast(judged.query_id as {{ text }}) = found_queries.query_id
left join {{ run }} as returned
    on
        found_queries.query_id = cast(returned.query_id as {{ text }})
        and cast(judged.doc_id as {{ text }}) = cast(returned.doc_id as {{ text }})
{% if several %}
        and found_queries.system = returned.system
{% endif %}
where judged.relevance is not null and returned.query_id is null
order by query_id, doc_id
limit 1

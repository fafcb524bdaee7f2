{#
title = "a tool of one table does not see judged documents that were not returned"
input = "qrels"
message = "{findings:judged document was|judged documents were} not returned, such as {doc_id} of query {query_id}; {tool} sees one table, in which {texts} cannot count {findings:~it|them}: give one labelled table, or judgments of what was returned, or leave out {option:like}"
#}
select
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
{% if emptied %}
left join (
    select
{% if several %}
        matched.system,
{% endif %}
        cast(matched.query_id as {{ text }}) as query_id
    from {{ run }} as matched
    inner join {{ judged }} as labels
        on
            cast(matched.query_id as {{ text }}) = cast(labels.query_id as {{ text }})
            and cast(matched.doc_id as {{ text }}) = cast(labels.doc_id as {{ text }})
    where try_cast(labels.relevance as {{ double }}) > 0
    group by {% if several %}matched.system, {% endif %}cast(matched.query_id as {{ text }})
) as found_something
    on
        found_queries.query_id = found_something.query_id
{% if several %}
        and found_queries.system = found_something.system
{% endif %}
{% endif %}
where judged.relevance is not null and returned.query_id is null
{% if emptied %}
    and try_cast(judged.relevance as {{ double }}) > 0 and found_something.query_id is null
{% endif %}

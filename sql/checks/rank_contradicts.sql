{#
title = "ranks that are not read contradict the scores"
input = "run"
severity = "note"
message = "scores and ranks disagree in at least {findings:row|rows}: document {doc_id} of query {query_id} has rank {place} and score {score}, the document ranked above it {above}; documents are ordered by score, {best} first: {option:order rank} uses the ranks, {option:order {reverse}} puts the {opposite} score first"
#}
select
    cast(query_id as {{ text }}) as query_id,
    cast(doc_id as {{ text }}) as doc_id,
    score,
    place,
    above,
    {{ ("the smallest" if ascending else "the largest") | literal }} as best,
    {{ ("desc" if ascending else "asc") | literal }} as reverse,
    {{ ("largest" if ascending else "smallest") | literal }} as opposite
from (
    select
        query_id,
        doc_id,
        try_cast(score as {{ double }}) as score,
        try_cast(rank as {{ double }}) as place,
        lag(try_cast(score as {{ double }})) over (
            partition by {% if several %}system, {% endif %}query_id
            order by try_cast(rank as {{ double }})
        ) as above
    from (
        select *
        from {{ run }}
        limit {{ most }}
    ) as first_rows
    where try_cast(rank as {{ double }}) is not null
) as ranks
where above {% if ascending %}>{% else %}<{% endif %} score

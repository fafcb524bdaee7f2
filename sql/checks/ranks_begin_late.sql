{#
title = "the ranks of a ranking begin after 1"
input = "run"
severity = "note"
message = "{findings:ranking does|rankings do} not start at rank 1, such as that of query {query_id}, which starts at {lowest}; its first document counts as rank 1: add the missing rows, or keep the given ranks with {option:order rank}"
#}
select
    cast(query_id as {{ text }}) as query_id,
    min(try_cast(score as {{ double }})) as lowest
from {{ run }}
group by {% if several %}system, {% endif %}query_id
having min(try_cast(score as {{ double }})) > 1

{#
title = "the ranks of a ranking begin after 1"
input = "run"
severity = "note"
message = "{findings:ranking has|rankings have} no document of rank 1, such as that of query {query_id}, whose first rank is {lowest}; the first document that is there counts as the first: give the rows above it, or choose --order rank, which keeps the places"
#}
select
    cast(query_id as {{ text }}) as query_id,
    min(try_cast(score as {{ double }})) as lowest
from {{ run }}
group by {% if several %}system, {% endif %}query_id
having min(try_cast(score as {{ double }})) > 1

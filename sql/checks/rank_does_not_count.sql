{#
title = "the ranks of a file without names count in its first lines only"
input = "run"
message = "the third column counts 1, 2, ... in the first lines, as ranks do, but not in the query {query_id} ({lowest} to {highest} in {documents:row|rows}); say what it is: {option:header False} with {option:columns rank=3} (the smallest is the best) or {option:columns score=3} (the largest is)"
#}
select
    query_id,
    min(try_cast(score as {{ double }})) as lowest,
    max(try_cast(score as {{ double }})) as highest,
    count(*) as documents
from {{ run }}
group by {% if several %}system, {% endif %}query_id
having
    coalesce(min(try_cast(score as {{ double }})), 0) <> 1
    or max(try_cast(score as {{ double }})) <> count(*)
    or count(distinct try_cast(score as {{ double }})) <> count(*)

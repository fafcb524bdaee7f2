-- for every rater: the pairs shared with the reference, how many grades each of both gave them{% if segments %}, and those of a segment{% endif +%}
select
    rater,
    count(*) as pairs,
    count(distinct reference_grade) as reference_grades,
    count(distinct grade) as grades{% if segments %},
    count(segment) as segmented{% endif +%}
from {{ pairs }}
group by rater
order by rater asc

-- for every rater: the pairs shared with the reference, their queries, and how many grades each of both gave them
select
    rater,
    count(*) as pairs,
    count(distinct query_id) as queries,
    count(distinct reference_grade) as reference_grades,
    count(distinct grade) as grades
from {{ pairs }}
group by rater
order by rater

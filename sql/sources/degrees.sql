-- the degrees of freedom of the means that have an interval
select distinct effective - 1 as degrees
from {{ summary }}
where stderr is not null and effective >= {{ fewest | literal }}
order by degrees asc

-- for every rater, grade of the reference and grade of the rater: the pairs, and their share of those of the reference's
with

counted as (
    select
        rater,
        reference_grade,
        grade,
        count(*) as pairs
    from {{ pairs }}
    where rater in ({% for rater in raters %}{{ rater | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
    group by rater, reference_grade, grade
),

cells as (
    select
        reference_grades.rater,
        reference_grades.reference_grade,
        grades.grade
    from (select distinct rater, reference_grade from counted) as reference_grades
    inner join (select distinct rater, grade from counted) as grades
        on reference_grades.rater = grades.rater
),

filled as (
    select
        cells.rater,
        cells.reference_grade,
        cells.grade,
        coalesce(counted.pairs, 0) as pairs
    from cells
    left join counted
        on
            cells.rater = counted.rater
            and cells.reference_grade = counted.reference_grade
            and cells.grade = counted.grade
)

select
    rater,
    reference_grade,
    grade,
    pairs,
    pairs / cast(sum(pairs) over (partition by rater, reference_grade) as {{ double }}) as share
from filled
order by rater asc, reference_grade asc, grade asc

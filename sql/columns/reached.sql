{#
text = "product of 1 - grade over the places above"
rows = ["place"]
depends = ["min", "max"]
needs = ["place_grade"]
step = "place_rows"
#}
(1 - coalesce(max(case when graded.{{ place_grade.value }} >= 1 then 1 else 0 end) over (
    partition by {{ query_keys }}
    order by place_numbers.place asc
    rows between unbounded preceding and 1 preceding
), 0))
* exp(coalesce(sum(case when graded.{{ place_grade.value }} < 1 then ln(1 - graded.{{ place_grade.value }}) else 0 end) over (
    partition by {{ query_keys }}
    order by place_numbers.place asc
    rows between unbounded preceding and 1 preceding
), 0))

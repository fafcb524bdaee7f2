{#
text = "probability that this place is viewed"
rows = ["place"]
depends = ["min", "max", "t"]
needs = ["grade_above", "place_grade"]
step = "viewed_places"
#}
exp(coalesce(sum(2 * ln(
    (place - 1.0 + {{ (2 * t) | literal }} - {{ grade_above.value }} - {{ place_grade.value }})
    / (place + {{ (2 * t) | literal }} - {{ grade_above.value }} - {{ place_grade.value }})
)) over (
    partition by {{ keys }}
    order by place asc
    rows between unbounded preceding and 1 preceding
), 0))

{#
text = "sum of the grades above this place"
rows = ["place"]
depends = ["min", "max"]
needs = ["place_grade"]
step = "place_rows"
#}
{% from "macros/ranking.sql" import above_least, less, most_of %}
coalesce(sum({{ above_least(min, max) }}) over (
    partition by {{ query_keys }}
    order by place_numbers.place asc
    rows between unbounded preceding and 1 preceding
), 0)
/ nullif({{ less(most_of(max), min) }}, 0)

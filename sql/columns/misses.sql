{#
text = "documents judged not relevant down to this rank"
rows = ["retrieved"]
depends = ["rel"]
tells_judged = true
needs = ["miss"]
step = "scored"
#}
{% from "macros/ranking.sql" import each %}
sum({{ each(miss, miss.value) }}) over (
    partition by {{ row_keys }}
    order by rank asc
    rows between unbounded preceding and current row
)

{#
text = "hits down to this rank"
rows = ["retrieved"]
depends = ["rel"]
needs = ["hit"]
step = "scored"
positive_only = true
#}
{% from "macros/ranking.sql" import each %}
sum({{ each(hit, hit.value) }}) over (
    partition by {{ row_keys }} order by rank asc rows between unbounded preceding and current row
)

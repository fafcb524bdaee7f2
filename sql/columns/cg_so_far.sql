{#
text = "gain down to this place"
rows = ["cumulated"]
depends = ["gain"]
needs = ["gain"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import at %}
sum({{ at(gain) }}) over (
    partition by {{ keys }}
    order by place asc
    range between unbounded preceding and current row
)

{#
text = "ideal gain down to this place"
rows = ["cumulated"]
depends = ["gain", "ideal"]
needs = ["ideal_gain"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import at %}
sum({{ at(ideal_gain) }}) over (
    partition by {{ keys }}
    order by place asc
    range between unbounded preceding and current row
)

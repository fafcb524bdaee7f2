{#
text = "discounted ideal gain down to this place"
rows = ["cumulated"]
depends = ["gain", "ideal", "discount"]
needs = ["ideal_gain", "discount"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import at %}
sum({{ at(ideal_gain, none, discount) }}) over (
    partition by {{ keys }}
    order by place asc
    range between unbounded preceding and current row
)

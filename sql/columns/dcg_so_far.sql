{#
text = "discounted gain down to this place"
rows = ["cumulated"]
depends = ["gain", "discount"]
needs = ["gain", "discount"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import at %}
sum({{ at(gain, none, discount) }}) over (
    partition by {{ keys }}
    order by place asc
    range between unbounded preceding and current row
)

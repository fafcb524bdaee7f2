{#
text = "largest gain of a document above"
rows = ["cumulated"]
depends = ["gain"]
needs = ["gain"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import at %}
coalesce(max({{ at(gain) }}) over (
    partition by {{ keys }}
    order by place asc
    rows between unbounded preceding and 1 preceding
), 0)

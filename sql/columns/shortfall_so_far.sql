{#
text = "ideal gain down to this place, at least 1 for each, less the gain"
rows = ["cumulated"]
depends = ["gain", "ideal"]
needs = ["gain", "ideal_gain"]
step = "cumulated"
#}
{% from "macros/ranking.sql" import each %}
place + sum(case when {{ ideal_gain.value }} > 1 then {{ ideal_gain.value }} - 1 else 0 end - {{ each(gain, gain.value) }}) over (
    partition by {{ keys }}
    order by place asc
    range between unbounded preceding and current row
)

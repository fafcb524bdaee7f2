{#
text = "ideal gain down to this place, at least 1 for each"
rows = ["cumulated"]
depends = ["gain", "ideal"]
needs = ["ideal_gain"]
step = "cumulated"
#}
place + sum(case when {{ ideal_gain.value }} > 1 then {{ ideal_gain.value }} - 1 else 0 end) over (
    partition by {{ keys }}
    order by place
    range between unbounded preceding and current row
)

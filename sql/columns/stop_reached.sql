{#
text = "probability that none above satisfied"
rows = ["retrieved"]
depends = ["max"]
needs = ["stop"]
step = "scored"
positive_only = true
#}
{% from "macros/ranking.sql" import chance_of %}
exp(coalesce(sum(ln(1 - {{ chance_of(max) }})) over (
    partition by {{ row_keys }}
    order by rank
    rows between unbounded preceding and 1 preceding
), 0))

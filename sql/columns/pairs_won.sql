{#
text = "pairs whose relevant document scores higher; half of those with one score"
rows = ["group"]
depends = ["rel"]
needs = ["group_relevant", "group_others"]
step = "group_rows"
#}
{{ group_relevant.value }} * ({{ group_others.value }} / 2 + coalesce(sum({{ group_others.value }}) over (
    partition by {{ keys }}
    order by score {{ direction }}
    rows between 1 following and unbounded following
), 0))

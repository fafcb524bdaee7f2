{#
text = "relevant documents with one score, times the precision down to them"
rows = ["group"]
depends = ["rel"]
needs = ["group_relevant"]
step = "group_rows"
#}
{{ group_relevant.value }} * sum({{ group_relevant.value }}) over (
    partition by {{ keys }}
    order by score {{ direction }}
    rows between unbounded preceding and current row
) / place

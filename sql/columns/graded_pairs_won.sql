{#
text = "those whose more relevant document scores higher; half where equal"
rows = ["pair"]
depends = ["weight"]
needs_with = { group_weight = { weight = "item" } }
step = "pair_rows"
#}
sum(
    better.{% if weight == "item" %}{{ group_weight.value }}{% else %}documents{% endif %} * worse.documents
    * case
        when better.score {% if ascending %}<{% else %}>{% endif %} worse.score then 1.0
        when better.score = worse.score then 0.5
        else 0.0
    end
)

{#
text = "those whose more relevant document scores higher; half where equal"
rows = ["pair"]
step = "pair_rows"
#}
sum(
    better.documents * worse.documents
    * case
        when better.score {% if ascending %}<{% else %}>{% endif %} worse.score then 1.0
        when better.score = worse.score then 0.5
        else 0.0
    end
)

{#
text = "pairs of judged documents of different relevance"
rows = ["pair"]
step = "pair_rows"
#}
sum(better.documents * worse.documents)

{#
text = "its relevance: 1 for 0, 10 for 9, 11 below, 12 above"
rows = ["retrieved"]
tells_judged = true
#}
when relevance is not null
then case when relevance < 0 then 11.0 when relevance >= 10 then 12.0 else floor(relevance) + 1 end

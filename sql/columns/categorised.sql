{#
text = "1 for a document that has a category"
rows = ["shown"]
input = "category"
step = "shown_rows"
#}
cast(case when catalogue.category is null then 0 else 1 end as {{ double }})

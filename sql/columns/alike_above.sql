{#
text = "documents of the same category above"
rows = ["shown"]
input = "category"
step = "shown_rows"
#}
cast(case
    when catalogue.category is null then 0
    else row_number() over (partition by {{ row_keys }}, catalogue.category order by ranked.rank asc) - 1
end as {{ double }})
